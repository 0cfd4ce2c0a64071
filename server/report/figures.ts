/** Formats key figures and compares them with the previous period. */
import { previousRangeWriter as writeBefore } from '../../domain/report/compare.ts';
import { rangeBefore } from '../../domain/report/range.ts';
import { type ReportWork, scope } from './work.ts';

export const count = (number: number) => number.toLocaleString('en');

/** Range, unit office and site of the previous period. */
export function earlier({ asked: { range, office, site }, timeZone }: ReportWork) {
  const before = rangeBefore(range, timeZone);
  return {
    from: before.from,
    to: before.to,
    scope: [before.from, before.to, office, site === null ? null : [site]],
  };
}

/** When the first site was added; null without sites. */
export async function since(work: ReportWork): Promise<Date | null> {
  return (await work.query('select tocsin.reported_since($1, $2) as at', scope(work).slice(2)))[0].at;
}

/** Returns a function that writes a value of the previous period. `counted` is the count in that period. */
export async function beforeWriter(work: ReportWork, counted: number): Promise<(value: string) => string> {
  const { timeZone } = work;
  const { range } = work.asked;
  const isToCome = range.from > work.now;
  const facts = { range, before: rangeBefore(range, timeZone), counted, since: await since(work), isToCome };
  return writeBefore(facts, timeZone, 'en');
}
