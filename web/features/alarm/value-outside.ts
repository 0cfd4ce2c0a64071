import { type LimitFields, limitsOf, placeState, placeValue } from '../../../domain/rule/limits.ts';
import { formatNumber, type Measured, readValue } from '../../kit/format/value.ts';
import { formatLimit, withUnit } from '../../ui/formats.ts';
import { debounceWords, type JudgedBy, limitsIn } from './judged-by.ts';

export interface OutsideWords {
  /** `Level 4.5 m is still above 4.2 m.` */
  words: string;
  /** What happens to somebody who closes the alarm all the same. */
  afterwards: string;
}

/** Whether a value is where it makes the alarm; null where a value alone does not say. */
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

/** Whether the value of an open alarm is back where it should be: the alarm lasts on until it has stayed there. */
export function isInside(judged: JudgedBy | null, point: Pick<Measured, 'latestValue'> | null): boolean {
  const value = point?.latestValue ?? null;
  return judged !== null && value !== null && isOutside(judged, value) === false;
}

function sideOf(limits: LimitFields, value: number): 'above' | 'below' | null {
  const place = placeValue(limitsOf(limits), value);
  return place === 'above' || place === 'below' ? place : null;
}

/**
 * That what the alarm is about still lasts; null where it does not, or where nobody can say. Of conditions a value does not
 * say it: `isClearing` does, and is undefined where that is not known.
 */
export function outsideWords(
  judged: JudgedBy,
  name: string,
  point: Measured | null,
  isClearing?: boolean,
  locale?: string,
): OutsideWords | null {
  if (judged.kind === 'silence') {
    // The first word of the site ends the alarm, so while it is open there was none.
    return { words: 'The site is still silent.', afterwards: 'No new alarm opens for this silence.' };
  }
  if (judged.kind === 'conditions') {
    if (isClearing !== false) {
      return null;
    }
    const held = debounceWords(judged);
    const afterwards = held
      ? `If they go on to hold, a new alarm opens after ${held}.`
      : 'The next reading by which they hold opens a new alarm.';
    return { words: 'Its conditions still hold.', afterwards };
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
  const measured = formatNumber(value, locale, limitsIn(judged));
  const words = `${name} ${withUnit(measured, unit)} is still ${side} ${withUnit(formatLimit(limit, locale), unit)}.`;
  return { words, afterwards };
}
