import fc from 'fast-check';
import { expect, test } from 'vitest';
import { handoversBetween, layerNow } from './changes.ts';
import { hoursBetween, isInHours } from './hours.ts';
import type { LayerHours, RotaLayer, RotaPerson } from './rota.ts';
import { gapsBetween, onCallAt, shiftsBetween, wholeShiftsBetween } from './shifts.ts';
import { personOfTurn, startOfTurn, turnAt, turnsFrom } from './turns.ts';

const HOUR = 3_600_000;
const RUNS = { numRuns: 1000 };

const two = (number: number) => String(number).padStart(2, '0');
const timeOfDay = fc
  .record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.constantFrom(0, 15, 30) })
  .map(({ hour, minute }) => `${two(hour)}:${two(minute)}`);

const hours: fc.Arbitrary<LayerHours> = fc.record({
  weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
  from: fc.oneof(timeOfDay, fc.constant('00:00')),
  to: fc.oneof(timeOfDay, fc.constant('00:00')),
});

const people: RotaPerson[] = ['Ana', 'Ben', 'Cem', 'Dan', 'Eve'].map((name, index) => ({
  ...{ uuid: name.toLowerCase(), name },
  isActive: index !== 3,
}));

/** Weeks around the changes of the clock in both zones, and around the end of a year. */
const starts = ['2026-03-05', '2026-03-24', '2026-10-20', '2026-10-30', '2026-12-28', '2027-03-10'];
const start = fc
  .record({ day: fc.constantFrom(...starts), hour: fc.integer({ min: 0, max: 24 * 10 }) })
  .map(({ day, hour }) => Date.parse(`${day}T00:00:00Z`) + hour * HOUR);

const layer: fc.Arbitrary<RotaLayer> = fc.record({
  uuid: fc.constant('layer'),
  name: fc.constant('Primary'),
  people: fc.integer({ min: 1, max: 5 }).map((count) => people.slice(0, count)),
  turnHours: fc.constantFrom(3, 5, 8, 12, 24, 36, 48, 168, 336),
  firstDay: fc.constantFrom('2026-01-05', '2026-03-28', '2026-11-01', '2027-06-01'),
  handoverTime: fc.oneof(timeOfDay, fc.constantFrom('01:30', '02:00', '02:30')),
  timeZone: fc.constantFrom('Europe/London', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'),
  hours: fc.array(hours, { maxLength: 3 }),
  overrides: fc.array(
    fc
      .record({
        begins: start,
        length: fc.integer({ min: 1, max: 200 }),
        off: fc.option(fc.constantFrom(...people)),
        cover: fc.option(fc.constantFrom(...people)),
      })
      .map(({ begins, length, off, cover }) => ({
        ...{ uuid: `${begins} ${length}`, startsAt: begins, endsAt: begins + length * HOUR },
        ...{ off, cover: off === null ? (cover ?? people[0]!) : cover, reason: 'Holiday' },
      })),
    { maxLength: 4 },
  ),
});

const range = fc
  .record({ from: start, length: fc.integer({ min: 1, max: 24 * 12 }) })
  .map(({ from, length }) => ({ from, until: from + length * HOUR }));

test('the shifts of a range fill its hours without overlap', () => {
  fc.assert(
    fc.property(layer, range, (rota, { from, until }) => {
      const shifts = shiftsBetween(rota, from, until);
      expect(shifts.every(({ startsAt, endsAt }) => startsAt < endsAt)).toBe(true);
      const covered: { startsAt: number; endsAt: number }[] = [];
      for (const { startsAt, endsAt } of shifts) {
        const previous = covered.at(-1);
        expect(previous === undefined || previous.endsAt <= startsAt).toBe(true);
        if (previous?.endsAt === startsAt) previous.endsAt = endsAt;
        else covered.push({ startsAt, endsAt });
      }
      expect(covered).toEqual(hoursBetween(rota, from, until));
    }),
    RUNS,
  );
});

test('the person on call at a time is the person of the shift at that time', () => {
  fc.assert(
    fc.property(layer, range, fc.double({ min: 0, max: 1, noNaN: true }), (rota, { from, until }, part) => {
      const at = Math.min(until - 1, Math.floor(from + (until - from) * part));
      const inRange = shiftsBetween(rota, from, until).filter(({ startsAt, endsAt }) => startsAt <= at && at < endsAt);
      expect(inRange.length).toBe(isInHours(rota, at) ? 1 : 0);
      const [shift] = inRange;
      const now = onCallAt(rota, at);
      expect(shift && { person: shift.person, because: shift.because, override: shift.override }).toEqual(
        now ? { person: now.person, because: now.because, override: now.override } : undefined,
      );
      const whole = wholeShiftsBetween(rota, from, until).find(({ startsAt, endsAt }) => startsAt <= at && at < endsAt);
      expect(whole?.person).toEqual(shift?.person);
    }),
    RUNS,
  );
});

test('the gaps of a range are its hours without the shifts that have a person', () => {
  fc.assert(
    fc.property(layer, range, (rota, { from, until }) => {
      const length = (periods: { startsAt: number; endsAt: number }[]) =>
        periods.reduce((sum, { startsAt, endsAt }) => sum + endsAt - startsAt, 0);
      const staffed = shiftsBetween(rota, from, until).filter(({ person }) => person !== null);
      const gaps = gapsBetween(rota, from, until);
      expect(length(gaps) + length(staffed)).toBe(length(hoursBetween(rota, from, until)));
      for (const gap of gaps) {
        expect(staffed.some(({ startsAt, endsAt }) => startsAt < gap.endsAt && endsAt > gap.startsAt)).toBe(false);
        expect(onCallAt(rota, gap.startsAt)?.person).toBeNull();
      }
      expect(staffed.every(({ person }) => person?.isActive)).toBe(true);
    }),
    RUNS,
  );
});

test('a range gives the same shifts as its two halves', () => {
  fc.assert(
    fc.property(layer, range, (rota, { from, until }) => {
      const middle = from + Math.floor((until - from) / 2 / HOUR) * HOUR;
      const flat = (shifts: ReturnType<typeof shiftsBetween>) =>
        shifts.flatMap(({ startsAt, endsAt, person }) =>
          Array.from({ length: Math.ceil((endsAt - startsAt) / (HOUR / 4)) }, (_, index) => [
            startsAt + (index * HOUR) / 4,
            person?.uuid,
          ]),
        );
      const halves = [...shiftsBetween(rota, from, middle), ...shiftsBetween(rota, middle, until)];
      expect(flat(halves)).toEqual(flat(shiftsBetween(rota, from, until)));
    }),
    { numRuns: 300 },
  );
});

test('every time is in one turn, and turns follow each other', () => {
  fc.assert(
    fc.property(layer, start, (rota, at) => {
      const turn = turnAt(rota, at);
      expect(startOfTurn(rota, turn)).toBeLessThanOrEqual(at);
      expect(startOfTurn(rota, turn + 1)).toBeGreaterThan(at);
      const [next, afterNext] = [personOfTurn(rota, turn + 1), personOfTurn(rota, turn + 1 + rota.people.length)];
      expect(next).toEqual(afterNext);
    }),
    { numRuns: 300 },
  );
});

test('a layer that begins with the present turn has the same turns', () => {
  fc.assert(
    fc.property(layer, start, range, (rota, at, { from, until }) => {
      // The first day of a turn that does not begin at the handover time cannot be stored.
      fc.pre(rota.turnHours % 24 === 0);
      const rotated = { ...rota, ...turnsFrom(rota, at) };
      expect(personOfTurn(rotated, turnAt(rotated, at))).toEqual(rotated.people[0]);
      expect(shiftsBetween(rotated, from, until)).toEqual(shiftsBetween(rota, from, until));
    }),
    { numRuns: 300 },
  );
});

test('the next shift begins when the present state ends or later, and has another person', () => {
  fc.assert(
    fc.property(layer, start, (rota, at) => {
      const { current, until, next } = layerNow(rota, at);
      expect(current).toEqual(onCallAt(rota, at));
      if (until !== null) {
        expect(until).toBeGreaterThan(at);
        expect(onCallAt(rota, until - 1)?.person).toEqual(current?.person);
      }
      if (next === null) return;
      expect(next.startsAt).toBeGreaterThanOrEqual(until!);
      expect(onCallAt(rota, next.startsAt)?.person ?? null).toEqual(next.person);
      if (current) expect(next.person?.uuid).not.toBe(current.person?.uuid);
    }),
    { numRuns: 300 },
  );
});

test('a handover is between the people before and after it', () => {
  fc.assert(
    fc.property(layer, range, (rota, { from, until }) => {
      for (const { at, from: before, to, before: shift } of handoversBetween(rota, from, until)) {
        expect(onCallAt(rota, at)?.person ?? null).toEqual(to);
        expect(onCallAt(rota, shift.endsAt - 1)?.person ?? null).toEqual(before);
        expect(before?.uuid).not.toBe(to?.uuid);
      }
    }),
    { numRuns: 300 },
  );
});
