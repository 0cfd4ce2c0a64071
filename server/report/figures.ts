/** Formats key figures and compares them with the previous period. */
import { previousRangeWriter as writeBefore } from '../../domain/report/compare.ts';
import { rangeBefore } from '../../domain/report/range.ts';
import { type ReportContext, scope } from './context.ts';

export const count = (number: number) => number.toLocaleString('en');

/** Returns the parameters of a report for the previous period: range, unit office and site. */
export function previousPeriod({ parameters: { range, office, site }, timeZone }: ReportContext) {
  const before = rangeBefore(range, timeZone);
  return {
    from: before.from,
    to: before.to,
    scope: [before.from, before.to, office, site === null ? null : [site]],
  };
}

/** Returns the time at which the first site of the report was added; null if the report covers no sites. */
export async function firstSiteAt(context: ReportContext): Promise<Date | null> {
  return (await context.query('select tocsin.reported_since($1, $2) as at', scope(context).slice(2)))[0].at;
}

/** Returns a function that formats a value of the previous period. `counted` is the number of rows in that period. */
export async function previousValueWriter(context: ReportContext, counted: number): Promise<(value: string) => string> {
  const { timeZone } = context;
  const { range } = context.parameters;
  const isFuture = range.from > context.now;
  const facts = { range, before: rangeBefore(range, timeZone), counted, since: await firstSiteAt(context), isFuture };
  return writeBefore(facts, timeZone, 'en');
}
