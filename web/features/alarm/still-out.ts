import { limitsOf, placeState, placeValue } from '../../../domain/rule/limits.ts';
import { formatNumber, type Measured, readValue } from '../dashboard/value.ts';
import { debounceWords, formatLimit, type JudgedBy } from './judged-by.ts';

export interface StillOut {
  /** `Level 4.5 m is still above 4.2 m.` */
  words: string;
  /** What happens to somebody who closes the alarm all the same. */
  afterwards: string;
}

/** That what the alarm is about still lasts; null where it does not, or where nobody can say. */
export function stillOut(judged: JudgedBy, name: string, point: Measured | null, locale?: string): StillOut | null {
  if (judged.kind === 'silence') {
    // The first word of the site ends the alarm, so while it is open there was none.
    return { words: 'The site is still silent.', afterwards: 'It is told once: no new alarm opens for this silence.' };
  }
  if (judged.kind === 'conditions' || point === null || point.latestValue === null) {
    return null;
  }
  const value = point.latestValue;
  const lasted = debounceWords(judged);
  const afterwards = lasted
    ? `If readings stay outside, a new alarm opens after ${lasted}.`
    : 'The next reading outside opens a new alarm.';
  if (judged.kind === 'digital') {
    const isOut = placeState(judged.alarmState === 'low' ? 0 : 1, value) === 'alarm';
    return isOut ? { words: `${name} is still ${readValue(point, locale)?.text}.`, afterwards } : null;
  }
  const place = placeValue(limitsOf(judged), value);
  const limit = place === 'above' ? judged.upper : place === 'below' ? judged.lower : null;
  if (limit === null) {
    return null;
  }
  const unit = judged.unit || point.uom;
  const [short, exact] = [formatNumber(value, locale), formatLimit(limit, locale)];
  // A value a hair's breadth outside must not read as the limit itself.
  const measured = short === exact ? formatLimit(value, locale) : short;
  const words = `${name} ${withUnit(measured, unit)} is still ${place} ${withUnit(exact, unit)}.`;
  return { words, afterwards };
}

function withUnit(number: string, unit: string): string {
  return `${number} ${unit}`.trim();
}
