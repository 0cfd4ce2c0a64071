/** How the key figures of reports are written, and what they are set against. */
import { daysBeforeWords, rangeBefore } from '../../domain/report/range.ts';
import type { ReportWork } from './work.ts';

export const count = (number: number) => number.toLocaleString('en');

/** The range, the unit office and the site of the days before, and what to call them. */
export function earlier({ asked: { range, office, site }, timeZone }: ReportWork) {
  const before = rangeBefore(range, timeZone);
  return {
    from: before.from,
    to: before.to,
    scope: [before.from, before.to, office, site === null ? null : [site]],
    words: daysBeforeWords(range, 'en'),
  };
}
