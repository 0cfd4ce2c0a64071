import { localTime, momentOf } from '../week.ts';
import { causeWords, type PerformanceTotals, performanceMeasures } from './performance.ts';
import type { PerformanceTargets } from './performance-targets.ts';
import { type ReportRange, rangeWords } from './range.ts';

/** Weekday and hour of a weekly report, in the customer's time zone. */
export interface WeeklyTime {
  /** Weekday from 1 (Monday) to 7 (Sunday). */
  weekday: number;
  hour: number;
}

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/**
 * Returns the last time until `now` at which the weekly report was due. If the clock skips the hour, the report is due
 * an hour later. If the hour occurs twice, the report is due at the first occurrence.
 */
export function lastDue({ weekday, hour }: WeeklyTime, now: Date, timeZone: string): Date {
  const { year, month, day } = localTime(now, timeZone);
  const today = new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7;
  const since = (today - weekday + 7) % 7;
  const due = momentOf({ year, month, day: day - since, hour }, timeZone);
  return due.getTime() <= now.getTime() ? due : momentOf({ year, month, day: day - since - 7, hour }, timeZone);
}

/** Returns the seven days before the day of the report, as the URL parameters `from` and `to`. */
export function weekBefore(due: Date, timeZone: string): { from: string; to: string } {
  const { year, month, day } = localTime(due, timeZone);
  const dayBefore = (days: number) => new Date(Date.UTC(year, month - 1, day - days)).toISOString().slice(0, 10);
  return { from: dayBefore(7), to: dayBefore(1) };
}

export interface WeeklyRule {
  ruleName: string;
  siteName: string;
  alarms: number;
}

const TOP_RULES = 3;

/**
 * Composes the mail: the figures that have a target, and the rules with the most alarms. `link` is the report's page.
 */
export function weeklyMail(
  report: PerformanceTotals & { rules: readonly WeeklyRule[] },
  targets: PerformanceTargets,
  range: Pick<ReportRange, 'firstDay' | 'lastDay'>,
  link: string,
): { subject: string; text: string } {
  const count = (value: number) => value.toLocaleString('en');
  const days = rangeWords(range);
  const lines =
    report.alarms === 0
      ? ['No alarm opened in these seven days.']
      : [
          `${count(report.alarms)} alarms in seven days.`,
          '',
          ...performanceMeasures(report, targets, 'en').map(
            ({ name, value, unit, words }) => `${name}: ${value}${unit ? ` (${unit})` : ''}, ${words}`,
          ),
          ...report.causes
            .filter(({ kind }) => kind === 'unreached')
            .map((row) => `- ${causeWords(row)}: ${count(row.alarms)}`),
          ...(report.rules.length > 0 ? ['', 'Rules with the most alarms:'] : []),
          ...report.rules
            .slice(0, TOP_RULES)
            .map(({ ruleName, siteName, alarms }) => `- ${ruleName}, ${siteName}: ${count(alarms)}`),
        ];
  return {
    subject: `Alarm performance, ${days}`,
    text: [
      `Alarm performance, ${days}`,
      ...['', ...lines, ''],
      `Open the report, or download it as a PDF: ${link}`,
      `To change or stop this weekly e-mail, choose "Send weekly" on that page.`,
    ].join('\n'),
  };
}
