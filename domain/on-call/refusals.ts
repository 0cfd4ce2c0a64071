import { isTimeZone } from '../week.ts';
import { hoursBetween } from './hours.ts';
import type { LayerHours, Period, RotaLayer, RotaOverride } from './rota.ts';
import { gapsBetween, wholeShiftsBetween } from './shifts.ts';

/** Why input was not accepted. `field` is the argument of the API. */
export interface RotaRefusal {
  field: string;
  sentence: string;
}

export const MOST_TURN_HOURS = 366 * 24;
export const MOST_PEOPLE = 50;
export const MOST_HOURS = 14;
/** The longest override, in days. */
export const MOST_OVERRIDE_DAYS = 366;

/** What is saved of a layer. */
export interface LayerValues
  extends Pick<RotaLayer, 'name' | 'turnHours' | 'firstDay' | 'handoverTime' | 'timeZone' | 'hours'> {
  personUuids: readonly string[];
}

const refuse = (field: string, sentence: string): RotaRefusal => ({ field, sentence });

export function refuseName(name: string): RotaRefusal | undefined {
  const length = name.trim().length;
  if (length === 0) return refuse('name', 'Enter a name.');
  if (length > 200) return refuse('name', 'Shorten the name to at most 200 characters.');
  return /[\n\r\v\f\u0085\u2028\u2029]/.test(name)
    ? refuse('name', 'Remove the line breaks. This field allows only one line.')
    : undefined;
}

/** Returns why a layer cannot be saved; undefined if it can. */
export function refuseLayer(layer: LayerValues): RotaRefusal | undefined {
  const { name, personUuids, turnHours, firstDay, handoverTime, timeZone } = layer;
  const refusedName = refuseName(name);
  if (refusedName) return refusedName;
  if (personUuids.length === 0) return refuse('personUuids', 'Add at least one person.');
  if (personUuids.length > MOST_PEOPLE) return refuse('personUuids', `A layer has at most ${MOST_PEOPLE} people.`);
  if (new Set(personUuids).size < personUuids.length) {
    return refuse('personUuids', 'A person is in this layer twice. Remove one of the entries.');
  }
  if (!Number.isInteger(turnHours) || turnHours < 1 || turnHours > MOST_TURN_HOURS) {
    return refuse('turnHours', `Enter a length from 1 hour to ${MOST_TURN_HOURS / 24} days.`);
  }
  if (!isDay(firstDay)) return refuse('firstDay', 'Enter a date, such as 2026-11-16.');
  if (!isTime(handoverTime)) return refuse('handoverTime', 'Enter a time, such as 08:00.');
  if (!isTimeZone(timeZone)) return refuse('timeZone', 'Choose a time zone, such as Europe/London.');
  return refuseHours(layer.hours);
}

function refuseHours(hours: readonly LayerHours[]): RotaRefusal | undefined {
  if (!Array.isArray(hours) || hours.length > MOST_HOURS) {
    return refuse('hours', `Enter at most ${MOST_HOURS} ranges of hours.`);
  }
  for (const { weekdays, from, to } of hours) {
    const isList = Array.isArray(weekdays) && weekdays.every((day) => Number.isInteger(day) && day >= 1 && day <= 7);
    if (!isList || weekdays.length === 0) {
      return refuse('hours', 'Choose at least one weekday, from 1 (Monday) to 7 (Sunday).');
    }
    if (!isTime(from) || !isTime(to)) return refuse('hours', 'Enter times, such as 18:00 and 08:00.');
  }
  return undefined;
}

/** Returns why an override cannot be added to a layer at `now`; undefined if it can. */
export function refuseOverride(
  layer: RotaLayer,
  { startsAt, endsAt, off, cover }: Omit<RotaOverride, 'uuid' | 'reason'>,
  now: number,
): RotaRefusal | undefined {
  const order = refuseOrder({ startsAt, endsAt });
  if (order) return order;
  if (endsAt <= now) return refuse('endsAt', 'This period is in the past. Choose a later end.');
  if (endsAt - startsAt > MOST_OVERRIDE_DAYS * 86_400_000) {
    return refuse('endsAt', `An override lasts at most ${MOST_OVERRIDE_DAYS} days. Choose an earlier end.`);
  }
  if (off === null && cover === null) return refuse('coverUuid', 'Choose a person who is off, or who covers.');
  if (off?.uuid === cover?.uuid) return refuse('coverUuid', 'Choose somebody other than the person who is off.');
  if (off && !layer.people.some(({ uuid }) => uuid === off.uuid)) {
    return refuse('offUuid', `${off.name} is not in this layer. Choose a person who is in this layer.`);
  }
  if (cover && !cover.isActive) return refuse('coverUuid', `${cover.name} is disabled. Choose somebody else.`);
  if (hoursBetween(layer, Math.max(startsAt, now), endsAt).length === 0) {
    return refuse('startsAt', `${layer.name} has no hours in this period. Choose another period.`);
  }
  const overlapping = layer.overrides.find(
    (other) =>
      other.startsAt < endsAt &&
      other.endsAt > startsAt &&
      (other.cover === null) === (cover === null) &&
      (off === null || other.off === null || other.off.uuid === off.uuid),
  );
  return overlapping && refuse('startsAt', overlapSentence(overlapping));
}

/** A person, or everybody, is covered once at a time. A cover may overlap an absence, because it closes the gap. */
function overlapSentence({ off, cover, reason }: RotaOverride): string {
  const what = cover ? `${cover.name} covers already` : `${off?.name} is off already`;
  return `${what} in this period${reason && ` (${reason})`}. Choose another period, or delete that override.`;
}

function refuseOrder({ startsAt, endsAt }: Period): RotaRefusal | undefined {
  if (Number.isNaN(startsAt)) return refuse('startsAt', 'Enter a date and time.');
  if (Number.isNaN(endsAt)) return refuse('endsAt', 'Enter a date and time.');
  return endsAt <= startsAt ? refuse('endsAt', 'The end is not after the start. Choose a later end.') : undefined;
}

/** Returns why a gap cannot be confirmed; undefined if the whole period is a gap that has not ended. */
export function refuseGap(layer: RotaLayer, period: Period, now: number): RotaRefusal | undefined {
  const order = refuseOrder(period);
  if (order) return order;
  if (period.endsAt <= now) return refuse('endsAt', 'This gap is in the past. Nothing is left to confirm.');
  const gaps = gapsBetween(layer, period.startsAt, period.endsAt);
  const isGap = gaps[0]?.startsAt === period.startsAt && gaps.at(-1)?.endsAt === period.endsAt;
  const isWhole = gaps.every((gap, index) => index === 0 || gaps[index - 1]?.endsAt === gap.startsAt);
  return isGap && isWhole ? undefined : refuse('startsAt', 'Somebody is on call in this period. Load the rota again.');
}

/** Returns why a person cannot give away a period; undefined if they are on call in all its hours. */
export function refuseSwap(
  layer: RotaLayer,
  person: string,
  period: Period,
  field: 'startsAt' | 'backStartsAt',
  now: number,
): RotaRefusal | undefined {
  const isBack = field === 'backStartsAt';
  const order = refuseOrder(period);
  if (order) return isBack ? { ...order, field: order.field === 'endsAt' ? 'backEndsAt' : field } : order;
  if (period.startsAt < now && period.endsAt <= now) return refuse(field, 'This shift has ended. Choose a later one.');
  const shifts = wholeShiftsBetween(layer, period.startsAt, period.endsAt);
  if (shifts.length > 0 && shifts.every((shift) => shift.person?.uuid === person)) return undefined;
  return isBack
    ? refuse(field, 'Your colleague is not on call in this whole period. Choose another shift.')
    : refuse(field, 'You are not on call in this whole period. Choose one of your shifts.');
}

/** Returns whether the text is a day that exists. */
export function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

export const isTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
