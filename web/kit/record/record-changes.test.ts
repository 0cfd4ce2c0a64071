import { expect, test } from 'vitest';
import { changedFields, conflictsOf, keepMine, onlyMine, takeTheirs } from './record-changes.ts';

const base = { name: 'Kelder Road', hours: 1, groups: ['a'], note: null as string | null };

test('returns only fields whose value differs', () => {
  expect(changedFields(base, { ...base, groups: ['a'] })).toEqual([]);
  expect(changedFields(base, { ...base, hours: 2, groups: ['a', 'b'] })).toEqual(['hours', 'groups']);
});

test('a field is in conflict if another user changed it to a value that differs from mine', () => {
  const mine = { ...base, name: 'Kelder Road PS', hours: 4 };
  const theirs = { ...base, hours: 2, note: 'New pump' };
  expect(conflictsOf(base, mine, theirs)).toEqual([
    { field: 'hours', theirs: 2, mine: 4, isMine: true },
    { field: 'note', theirs: 'New pump', mine: null, isMine: false },
  ]);
  expect(onlyMine(base, mine, theirs)).toEqual(['name']);
  expect(conflictsOf(base, { ...base, hours: 2 }, { ...base, hours: 2 })).toEqual([]);
});

test('takeTheirs keeps fields that only this user changed', () => {
  const mine = { ...base, name: 'Kelder Road PS', hours: 4 };
  expect(takeTheirs(base, mine, { ...base, hours: 2 })).toEqual({ ...base, name: 'Kelder Road PS', hours: 2 });
});

test('keepMine keeps fields that only the other user changed', () => {
  const mine = { ...base, name: 'Kelder Road PS', hours: 4 };
  const theirs = { ...base, hours: 2, note: 'New pump' };
  expect(keepMine(base, mine, theirs)).toEqual({ ...base, name: 'Kelder Road PS', hours: 4, note: 'New pump' });
});
