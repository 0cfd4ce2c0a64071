import { DAY_MS, HOUR_MS, type Period, type RotaLayer, type RotaPerson } from './rota.ts';
import { type Shift, shiftsBetween, wholeShiftsBetween } from './shifts.ts';

/** A colleague who could take a shift, and the shift that they would give for it. */
export interface SwapChoice {
  person: RotaPerson;
  back: Period;
  /** The whole days that the colleague would be on call without a break, if this is longer than a turn; otherwise 0. */
  daysInARow: number;
}

/**
 * Returns the colleagues of a layer who could take a shift, with their next shift after it. Colleagues who would be on
 * call for longer than a turn come last.
 */
export function swapChoices(layer: RotaLayer, shift: Period & Pick<Shift, 'person'>): SwapChoice[] {
  const me = shift.person;
  if (me === null) return [];
  const ahead = (layer.people.length + 1) * layer.turnHours * HOUR_MS + 8 * DAY_MS;
  const coming = wholeShiftsBetween(layer, shift.endsAt, shift.endsAt + ahead);
  return layer.people
    .filter(({ uuid, isActive }) => isActive && uuid !== me.uuid)
    .flatMap((person) => {
      const back = coming.find((other) => other.startsAt >= shift.endsAt && other.person?.uuid === person.uuid);
      if (!back) return [];
      return [{ person, back, daysInARow: daysInARow(layer, shift, back, me, person) }];
    })
    .toSorted((a, b) => Number(a.daysInARow > 0) - Number(b.daysInARow > 0) || a.back.startsAt - b.back.startsAt);
}

function daysInARow(layer: RotaLayer, shift: Period, back: Period, me: RotaPerson, colleague: RotaPerson): number {
  const swapped = { ...layer, overrides: [...layer.overrides, ...swapOverrides(shift, back, me, colleague)] };
  const reach = 2 * layer.turnHours * HOUR_MS;
  let run: Period | undefined;
  for (const { startsAt, endsAt, person } of shiftsBetween(swapped, shift.startsAt - reach, shift.endsAt + reach)) {
    if (person?.uuid !== colleague.uuid) continue;
    if (run && run.endsAt === startsAt) run.endsAt = endsAt;
    else if (run && run.endsAt > shift.startsAt) break;
    else run = { startsAt, endsAt };
  }
  const length = run ? run.endsAt - run.startsAt : 0;
  return length > (layer.turnHours + 2) * HOUR_MS ? Math.round(length / DAY_MS) : 0;
}

/** Returns the overrides that a swap consists of. */
export function swapOverrides(shift: Period, back: Period | null, me: RotaPerson, colleague: RotaPerson) {
  const one = { uuid: 'shift', startsAt: shift.startsAt, endsAt: shift.endsAt, off: me, cover: colleague, reason: '' };
  if (back === null) return [one];
  return [one, { ...one, uuid: 'back', startsAt: back.startsAt, endsAt: back.endsAt, off: colleague, cover: me }];
}
