import { hoursBetween, isInHours, joined } from './hours.ts';
import { HOUR_MS, type Period, type Rota, type RotaLayer, type RotaOverride, type RotaPerson } from './rota.ts';
import { personOfTurn, startOfTurn, turnAt } from './turns.ts';

/** Who is on call, and why. `person` is null in a gap. */
export interface Assignment {
  person: RotaPerson | null;
  /** `absent`: an override leaves the shift to nobody. `inactive`: the person was deleted or disabled. */
  because: 'turn' | 'override' | 'absent' | 'inactive';
  /** The person in turn. */
  planned: RotaPerson | null;
  /** The override that applies last. */
  override: RotaOverride | null;
}

export interface Shift extends Period, Assignment {}

export interface Gap extends Period {
  because: 'absent' | 'inactive';
  /** The person who would be on call. */
  missing: RotaPerson | null;
  reason: string;
}

/** Returns who is on call in a layer at a time; null outside its hours. */
export function onCallAt(layer: RotaLayer, at: number): Assignment | null {
  if (!isInHours(layer, at)) return null;
  const overrides = layer.overrides.filter(({ startsAt, endsAt }) => startsAt <= at && at < endsAt);
  return assign(personOfTurn(layer, turnAt(layer, at)), overrides);
}

/**
 * Applies the overrides of a moment. A cover closes the gap of an absence. A person who covers can be off as well, so that another override applies to them. If
 * the people cover each other in a circle, nobody is on call.
 */
function assign(planned: RotaPerson | null, overrides: readonly RotaOverride[]): Assignment {
  let person = planned;
  let applied: RotaOverride | null = null;
  const left = [...overrides];
  const apply = (index: number) => {
    [applied] = left.splice(index, 1) as [RotaOverride];
    person = applied.cover;
  };
  const everybody = left.findIndex(({ off }) => off === null);
  if (everybody >= 0) apply(everybody);
  const seen = new Set<string>();
  for (;;) {
    const off: string | undefined = (person as RotaPerson | null)?.uuid;
    if (off === undefined) break;
    if (seen.has(off)) {
      person = null;
      break;
    }
    const ofPerson = left.filter((override) => override.off?.uuid === off);
    const chosen = ofPerson.find(({ cover }) => cover !== null) ?? ofPerson[0];
    if (!chosen) break;
    const index = left.indexOf(chosen);
    seen.add(off);
    apply(index);
  }
  const override = applied as RotaOverride | null;
  if (person === null) return { person, because: override ? 'absent' : 'inactive', planned, override };
  if (!person.isActive) return { person: null, because: 'inactive', planned, override };
  return { person, because: override ? 'override' : 'turn', planned, override };
}

/**
 * Returns the shifts of a range, in order. They fill the hours of the layer in the range without overlap. A shift without
 * a person is a gap. The first and last one are cut at the range.
 */
export function shiftsBetween(layer: RotaLayer, from: number, until: number): Shift[] {
  const overrides = layer.overrides.filter(({ startsAt, endsAt }) => startsAt < until && endsAt > from);
  const shifts: Shift[] = [];
  if (until <= from) return shifts;
  let turn = turnAt(layer, from);
  let turnStart = startOfTurn(layer, turn);
  let turnEnd = startOfTurn(layer, turn + 1);
  for (const { startsAt, endsAt } of hoursBetween(layer, from, until)) {
    let at = startsAt;
    while (at < endsAt) {
      while (turnEnd <= at) {
        turn += 1;
        turnStart = turnEnd;
        turnEnd = startOfTurn(layer, turn + 1);
      }
      let end = Math.min(endsAt, turnEnd);
      for (const override of overrides) {
        if (override.startsAt > at) end = Math.min(end, override.startsAt);
        if (override.endsAt > at) end = Math.min(end, override.endsAt);
      }
      const active = overrides.filter((override) => override.startsAt <= at && at < override.endsAt);
      const assigned = assign(personOfTurn(layer, turn), active);
      const previous = shifts.at(-1);
      // An override that does not concern this person does not divide their shift.
      if (previous && previous.endsAt === at && at !== turnStart && isSame(previous, assigned)) {
        previous.endsAt = end;
      } else shifts.push({ startsAt: at, endsAt: end, ...assigned });
      at = end;
    }
  }
  return shifts;
}

function isSame(a: Assignment, b: Assignment): boolean {
  return a.person?.uuid === b.person?.uuid && a.because === b.because && a.override === b.override;
}

/** Returns the shifts that overlap a range, not cut at the range. */
export function wholeShiftsBetween(layer: RotaLayer, from: number, until: number): Shift[] {
  // A shift is at most as long as a turn. The clock can add an hour or two.
  const reach = (layer.turnHours + 3) * HOUR_MS;
  return shiftsBetween(layer, from - reach, until + reach).filter(
    ({ startsAt, endsAt }) => startsAt < until && endsAt > from,
  );
}

/** Returns the turns of a range, as if there were no overrides. */
export function turnsBetween(layer: RotaLayer, from: number, until: number): Shift[] {
  return shiftsBetween({ ...layer, overrides: [] }, from, until);
}

/** Returns the hours of a range in which nobody is on call, joined if the same person is missing. */
export function gapsBetween(layer: RotaLayer, from: number, until: number): Gap[] {
  const gaps: Gap[] = [];
  for (const { startsAt, endsAt, person, because, planned, override } of shiftsBetween(layer, from, until)) {
    if (person !== null) continue;
    const missing = override?.cover ?? override?.off ?? planned;
    const gap: Gap = {
      ...{ startsAt, endsAt, missing },
      because: because === 'absent' ? because : 'inactive',
      reason: override?.reason ?? '',
    };
    const previous = gaps.at(-1);
    const continues =
      previous?.endsAt === startsAt &&
      previous.missing?.uuid === missing?.uuid &&
      previous.because === gap.because &&
      previous.reason === gap.reason;
    if (continues) previous.endsAt = endsAt;
    else gaps.push(gap);
  }
  return gaps;
}

/** Returns whether confirmed periods cover the whole gap. */
export function isConfirmed(gap: Period, confirmed: readonly Period[]): boolean {
  return joined(confirmed).some(({ startsAt, endsAt }) => startsAt <= gap.startsAt && gap.endsAt <= endsAt);
}

/** A shift of a person, with the rota and layer that it belongs to. */
export interface OwnShift extends Shift {
  rota: Rota;
  layer: RotaLayer;
}

/** Returns the shifts of one person that overlap a range, in order. */
export function shiftsOfPerson(rotas: readonly Rota[], person: string, from: number, until: number): OwnShift[] {
  return rotas
    .flatMap((rota) =>
      rota.layers.flatMap((layer) =>
        wholeShiftsBetween(layer, from, until)
          .filter((shift) => shift.person?.uuid === person)
          .map((shift) => ({ ...shift, rota, layer })),
      ),
    )
    .toSorted((a, b) => a.startsAt - b.startsAt || a.endsAt - b.endsAt);
}
