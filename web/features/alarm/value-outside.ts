import { type LimitFields, limitsOf, placeState, placeValue } from '../../../domain/rule/limits.ts';
import { formatNumber, type Measured, readValue } from '../../kit/format/value.ts';
import { formatLimit, withUnit } from '../../ui/formats.ts';
import { type Criteria, debounceWords, limitValues } from './criteria.ts';

export interface OutsideWords {
  /** The warning, such as `Level 4.5 m is still above 4.2 m.` */
  words: string;
  /** The consequence of resolving the alarm now. */
  afterwards: string;
}

/** Returns true if the value is outside its limits or in its alarm state; null for conditions and offline sites. */
export function isOutside(criteria: Criteria, value: number): boolean | null {
  switch (criteria.kind) {
    case 'limits':
      return sideOf(criteria, value) !== null;
    case 'digital':
      return placeState(criteria.alarmState === 'low' ? 0 : 1, value) === 'alarm';
    case 'conditions':
    case 'silence':
      return null;
  }
}

/** Returns true if the value of an open alarm is back to normal. The alarm stays open until the debounce ends. */
export function isInside(criteria: Criteria | null, point: Pick<Measured, 'latestValue'> | null): boolean {
  const value = point?.latestValue ?? null;
  return criteria !== null && value !== null && isOutside(criteria, value) === false;
}

function sideOf(limits: LimitFields, value: number): 'above' | 'below' | null {
  const place = placeValue(limitsOf(limits), value);
  return place === 'above' || place === 'below' ? place : null;
}

/**
 * Returns a warning that the value is still outside its limits, with the consequence of resolving the alarm now.
 * Returns null if the value is normal or unknown. For conditions, returns null unless `isClearing` is false.
 */
export function outsideWords(
  criteria: Criteria,
  name: string,
  point: Measured | null,
  isClearing?: boolean,
  locale?: string,
): OutsideWords | null {
  if (criteria.kind === 'silence') {
    // For a silent site, the first frame resolves the alarm. While the alarm is open, no frame has therefore arrived.
    return {
      words: 'The site is still silent.',
      afterwards: 'A new alarm opens only if the site sends data and becomes silent again.',
    };
  }
  if (criteria.kind === 'conditions') {
    if (isClearing !== false) {
      return null;
    }
    const held = debounceWords(criteria);
    const afterwards = held
      ? `If the conditions stay true, a new alarm opens after ${held}.`
      : 'The next reading that meets the conditions opens a new alarm.';
    return { words: 'The conditions are still met.', afterwards };
  }
  if (point === null || point.latestValue === null || isInside(criteria, point)) {
    return null;
  }
  const value = point.latestValue;
  const lasted = debounceWords(criteria);
  const afterwards = lasted
    ? `If the value stays in the alarm range, a new alarm opens after ${lasted}.`
    : 'The next reading in the alarm range opens a new alarm.';
  if (criteria.kind === 'digital') {
    return { words: `${name} is still ${readValue(point, locale)?.text}.`, afterwards };
  }
  const side = sideOf(criteria, value);
  const limit = side === 'above' ? criteria.upper : criteria.lower;
  if (limit === null) {
    return null;
  }
  const unit = criteria.unit || point.uom;
  const measured = formatNumber(value, locale, limitValues(criteria));
  const words = `${name} ${withUnit(measured, unit)} is still ${side} ${withUnit(formatLimit(limit, locale), unit)}.`;
  return { words, afterwards };
}
