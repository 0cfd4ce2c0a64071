/** How the key figures of reports are written, and what they are set against. */
import { previousRangeWriter as writeBefore } from '../../domain/report/compare.ts';
import { rangeBefore } from '../../domain/report/range.ts';
import { type ReportWork, scope } from './work.ts';

export const count = (number: number) => number.toLocaleString('en');

/** The range, the unit office and the site of the days before. */
export function earlier({ asked: { range, office, site }, timeZone }: ReportWork) {
  const before = rangeBefore(range, timeZone);
  return {
    from: before.from,
    to: before.to,
    scope: [before.from, before.to, office, site === null ? null : [site]],
  };
}

/** When the first of the sites was made; null where there is none. */
export async function since(work: ReportWork): Promise<Date | null> {
  return (await work.query('select tocsin.reported_since($1, $2) as at', scope(work).slice(2)))[0].at;
}

/** Writes how something was in the days before, in which so much was counted. */
export async function beforeWriter(work: ReportWork, counted: number): Promise<(value: string) => string> {
  const { timeZone } = work;
  const { range } = work.asked;
  const isToCome = range.from > work.now;
  const facts = { range, before: rangeBefore(range, timeZone), counted, since: await since(work), isToCome };
  return writeBefore(facts, timeZone, 'en');
}
