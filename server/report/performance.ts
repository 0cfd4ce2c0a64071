import { loadRows } from '../../domain/report/load-rows.ts';
import { roundPercent } from '../../domain/report/percent.ts';
import { causeWords, type PerformanceTotals, percentOf, performanceMeasures } from '../../domain/report/performance.ts';
import { performanceLines, targetStateNames } from '../../domain/report/performance-lines.ts';
import { type PerformanceTargets, performanceTargets } from '../../domain/report/performance-targets.ts';
import { type ReportContext, scope } from './context.ts';
import { dayBars } from './day-bars.ts';
import { type Column, counts, decimal, type OrderedSection, type ReportContent, seconds, text, time } from './table.ts';

export interface Report extends PerformanceTotals {
  load: number[];
  floods: { siteName: string; beganAt: string; endedAt: string; alarms: number; firstMessage: string }[];
  rules: { ruleName: string; siteName: string; alarms: number; acknowledged: number; nuisance: number }[];
  recipients: { name: string; alarms: number; peak: number; acknowledged: number; meanSeconds: number | null }[];
}

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Renames the keys of a row and its nested rows to the names that the API uses. */
function renamed(value: any): any {
  if (Array.isArray(value)) return value.map(renamed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [camel(name), renamed(inner)]));
}

/** Reads the report. `values` are the arguments of the SQL function `tocsin.report_performance`. */
export async function readPerformance(query: ReportContext['query'], values: readonly unknown[]): Promise<Report> {
  const [{ report }] = await query(
    'select to_jsonb(p) as report from tocsin.report_performance($1, $2, $3, $4, $5, $6) p',
    values,
  );
  return renamed(report);
}

function readReport(context: ReportContext): Promise<Report> {
  const { rule, recipient } = context.parameters;
  return readPerformance(context.query, [...scope(context), rule, recipient]);
}

export async function readTargets({ query }: Pick<ReportContext, 'query'>): Promise<PerformanceTargets> {
  const [customer] = await query(
    `select ${performanceTargets.map(({ column }) => column).join(', ')} from tocsin.customer`,
    [],
  );
  return renamed(customer);
}

const shareOf = (header: string): Column => ({ header, kind: 'share', weight: 1, plain: true });

/**
 * Returns the report with all figures and their targets. A PDF also contains the floods, rules, recipients and causes.
 */
export async function performance(context: ReportContext): Promise<ReportContent> {
  const [report, targets] = [await readReport(context), await readTargets(context)];
  return {
    title: 'Alarm performance',
    order: 'All figures',
    columns: [text('Figure', 4), decimal('Value'), text('Unit', 1), decimal('Target'), text('Result', 1.6)],
    rows: performanceLines(report, targets).map(({ name, value, unit, target, state }) => [
      ...[name, value, unit, target],
      state === null ? '' : targetStateNames[state],
    ]),
    figures: async () =>
      performanceMeasures(report, targets, 'en').map(({ name, value, unit, words }) => ({
        ...{ name, value, unit },
        before: words,
      })),
    ...(report.load.length > 0 && {
      picture: async () =>
        dayBars(
          'Alarms',
          ['Alarms'],
          context.parameters,
          loadRows(report.load, context.parameters.range.from, context.timeZone),
          (row) => [row.alarms],
        ),
    }),
    sections: async () => [floodSection(report), ruleSection(report), recipientSection(report), causeSection(report)],
  };
}

const part =
  (section: (report: Report) => OrderedSection) =>
  async (context: ReportContext): Promise<ReportContent> =>
    section(await readReport(context));

function floodSection({ floods }: Report): OrderedSection {
  return {
    title: 'Floods',
    order: 'Rows oldest first',
    columns: [time('Began'), time('Ended'), text('Site'), ...counts('Alarms'), text('First-out', 3)],
    rows: floods.map((row) => [
      ...[new Date(row.beganAt), new Date(row.endedAt), row.siteName],
      ...[row.alarms, row.firstMessage],
    ]),
  };
}

function ruleSection({ rules, alarms }: Report): OrderedSection {
  return {
    title: 'Top ten rules',
    order: 'Rows with the most alarms first',
    columns: [
      ...[text('Rule', 3), text('Site', 3), ...counts('Alarms'), shareOf('Share (%)')],
      ...[...counts('Acknowledged', 'With a nuisance reason'), shareOf('Nuisance (%)')],
    ],
    rows: rules.map((row) => [
      ...[row.ruleName, row.siteName, row.alarms, roundPercent(percentOf(row.alarms, alarms))],
      ...[row.acknowledged, row.nuisance],
      row.acknowledged === 0 ? null : roundPercent(percentOf(row.nuisance, row.acknowledged)),
    ]),
  };
}

function recipientSection({ recipients, days }: Report): OrderedSection {
  return {
    title: 'Load per recipient',
    order: 'Rows with the most alarms first',
    columns: [
      ...[text('Recipient', 3), ...counts('Alarms'), decimal('A day'), ...counts('Peak in 10 min', 'Acknowledged')],
      seconds('Time to acknowledge, mean (s)'),
    ],
    rows: recipients.map((row) => [
      ...[row.name, row.alarms, Math.round((100 * row.alarms) / Math.max(1, days)) / 100, row.peak, row.acknowledged],
      row.meanSeconds,
    ]),
  };
}

function causeSection({ causes, alarms }: Report): OrderedSection {
  return {
    title: 'Not notified, by reason',
    order: 'Rows ordered by reason',
    columns: [text('Reason', 5), ...counts('Alarms', 'Rules'), shareOf('Share (%)')],
    rows: causes.map((row) => [causeWords(row), row.alarms, row.rules, roundPercent(percentOf(row.alarms, alarms))]),
  };
}

export const performanceFloods = part(floodSection);
export const performanceRules = part(ruleSection);
export const performanceRecipients = part(recipientSection);
