import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FoldableColumn, foldedColumns } from './fold-columns.ts';

const columns: FoldableColumn[] = [
  { id: 'name', width: 200, kept: 'always' },
  { id: 'type', width: 100, kept: 'wide' },
  { id: 'office', width: 100, kept: 'roomy' },
  { id: 'signal', width: 100, kept: 'wide' },
  { id: 'state', width: 100, kept: 'always' },
];

test('hides nothing if all columns fit, or the width is unknown', () => {
  expect([...foldedColumns(columns, 600)]).toEqual([]);
  expect([...foldedColumns(columns, 0)]).toEqual([]);
});

test('hides roomy columns first, then wide ones from the right, and keeps the others', () => {
  expect([...foldedColumns(columns, 550)]).toEqual(['office']);
  expect([...foldedColumns(columns, 450)]).toEqual(['office', 'signal']);
  expect([...foldedColumns(columns, 100)]).toEqual(['office', 'signal', 'type']);
});

test('hides columns until the others fit, or until only columns that must stay are left', () => {
  const column = fc.record({
    id: fc.uuid(),
    width: fc.integer({ min: 40, max: 300 }),
    kept: fc.constantFrom('always' as const, 'wide' as const, 'roomy' as const),
  });
  fc.assert(
    fc.property(fc.array(column, { maxLength: 14 }), fc.integer({ min: 1, max: 2000 }), (all, room) => {
      const folded = foldedColumns(all, room);
      const left = all.filter(({ id }) => !folded.has(id));
      const needed = left.reduce((sum, { width }) => sum + width, 0);
      expect(needed <= room || left.every(({ kept }) => kept === 'always')).toBe(true);
    }),
  );
});
