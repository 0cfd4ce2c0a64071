import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clearPlace } from './clear-place.ts';

const wanted = { anchor: 60, height: 40, room: { top: 0, bottom: 800 }, towards: 'bottom' as const };

test('stays at its anchor without obstacles', () => {
  expect(clearPlace(wanted, [])).toBe(60);
  expect(clearPlace(wanted, [{ top: 0, bottom: 48 }])).toBe(60);
});

test('moves to the nearest free place, and returns null without one', () => {
  const buttons = [
    { top: 66, bottom: 98 },
    { top: 110, bottom: 142 },
  ];
  expect(clearPlace(wanted, buttons)).toBe(146);
  expect(clearPlace({ ...wanted, anchor: 700, towards: 'top' }, [{ top: 690, bottom: 800 }])).toBe(646);
  expect(clearPlace(wanted, [{ top: 0, bottom: 800 }])).toBeNull();
});

test('never covers an obstacle, and always stays in its range', () => {
  const extent = fc
    .tuple(fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 200 }))
    .map(([top, height]) => ({ top, bottom: top + height }));
  const asked = fc.record({
    anchor: fc.integer({ min: 0, max: 800 }),
    height: fc.integer({ min: 20, max: 300 }),
    room: fc.constant({ top: 0, bottom: 800 }),
    towards: fc.constantFrom('bottom' as const, 'top' as const),
  });
  fc.assert(
    fc.property(asked, fc.array(extent, { maxLength: 12 }), (place, obstacles) => {
      const top = clearPlace(place, obstacles);
      if (top === null) return;
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top + place.height).toBeLessThanOrEqual(800);
      for (const obstacle of obstacles) expect(obstacle.bottom <= top || obstacle.top >= top + place.height).toBe(true);
    }),
  );
});
