import { type LimitFields, limitsOf, placeState, placeValue } from '../../../domain/rule/limits.ts';
import { formatNumber, type Measured, readValue } from '../../kit/format/value.ts';
import { formatLimit, withUnit } from '../../ui/formats.ts';
import { debounceWords, type JudgedBy, limitValues } from './judged-by.ts';

export interface OutsideWords {
  /** `Level 4.5 m is still above 4.2 m.` */
  words: string;
  /** The consequence of resolving the alarm now. */
  afterwards: string;
}

/** True if the value is outside; null for conditions and offline sites, where one value does not decide. */
export function isOutside(judged: JudgedBy, value: number): boolean | null {
  switch (judged.kind) {
    case 'limits':
      return sideOf(judged, value) !== null;
    case 'digital':
      return placeState(judged.alarmState === 'low' ? 0 : 1, value) === 'alarm';
    case 'conditions':
    case 'silence':
      return null;
  }
}

/** True if the value of an open alarm is back inside. The alarm stays open until the debounce has passed. */
export function isInside(judged: JudgedBy | null, point: Pick<Measured, 'latestValue'> | null): boolean {
  const value = point?.latestValue ?? null;
  return judged !== null && value !== null && isOutside(judged, value) === false;
}

function sideOf(limits: LimitFields, value: number): 'above' | 'below' | null {
  const place = placeValue(limitsOf(limits), value);
  return place === 'above' || place === 'below' ? place : null;
}

/**
 * Says that the value is still outside, and what follows if the alarm is resolved now. Returns null if the value is inside
 * or unknown. For conditions, `isClearing` decides instead of a value; undefined means unknown.
 */
export function outsideWords(
  judged: JudgedBy,
  name: string,
  point: Measured | null,
  isClearing?: boolean,
  locale?: string,
): OutsideWords | null {
  if (judged.kind === 'silence') {
    // The first frame from the site resolves the alarm, so an open one means that nothing has arrived.
    return { words: 'The site is still silent.', afterwards: 'No new alarm opens for this silence.' };
  }
  if (judged.kind === 'conditions') {
    if (isClearing !== false) {
      return null;
    }
    const held = debounceWords(judged);
    const afterwards = held
      ? `If they stay true, a new alarm opens after ${held}.`
      : 'The next reading that meets them opens a new alarm.';
    return { words: 'Its conditions are still met.', afterwards };
  }
  if (point === null || point.latestValue === null || isInside(judged, point)) {
    return null;
  }
  const value = point.latestValue;
  const lasted = debounceWords(judged);
  const afterwards = lasted
    ? `If readings stay outside, a new alarm opens after ${lasted}.`
    : 'The next reading outside opens a new alarm.';
  if (judged.kind === 'digital') {
    return { words: `${name} is still ${readValue(point, locale)?.text}.`, afterwards };
  }
  const side = sideOf(judged, value);
  const limit = side === 'above' ? judged.upper : judged.lower;
  if (limit === null) {
    return null;
  }
  const unit = judged.unit || point.uom;
  const measured = formatNumber(value, locale, limitValues(judged));
  const words = `${name} ${withUnit(measured, unit)} is still ${side} ${withUnit(formatLimit(limit, locale), unit)}.`;
  return { words, afterwards };
}
