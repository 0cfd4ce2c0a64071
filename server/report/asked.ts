import { dayOf, presets, type ReportRange, readRange } from '../../domain/report/range.ts';
import { reasonOf } from '../../domain/report/reason.ts';
import { Refusal } from '../auth/errors.ts';

/** What somebody wants reported, read from an address. */
export interface Asked {
  range: ReportRange;
  /** The day by which twelve weeks of health end; today where none is given. */
  until: Date;
  /** The same on the customer's calendar. */
  untilDay: string;
  by: 'office' | 'site';
  office: string | null;
  site: string | null;
  /** Alarms of this rule only. */
  rule: string | null;
  /** Alarms with this reason only; empty for those that nobody gave one for. */
  reason: string | null;
  method: number | null;
  state: string | null;
  search: string | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** One that is sent or delivered is out. */
const states = ['queued', 'sent', 'delivered', 'failed', 'out'];
const rows = ['office', 'site'];

export function readAsked(query: Readonly<Record<string, unknown>>, now: Date, timeZone: string): Asked {
  const text = (name: string) => {
    const value = query[name];
    if (value === undefined || value === '') return undefined;
    if (typeof value !== 'string' || value.length > 200) throw new Refusal(400, `Give ${name} once, as a short text.`);
    return value;
  };
  const key = (name: string, noun: string) => {
    const value = text(name);
    if (value !== undefined && !UUID.test(value))
      throw new Refusal(400, `There is no such ${noun}. Choose one in the report.`);
    return value ?? null;
  };
  const preset = text('range');
  if (preset !== undefined && !presets.some((known) => known === preset))
    throw new Refusal(400, `A range is ${presets.join(', ')}, or from and to: choose one of these.`);
  const reading = readRange({ range: preset, from: text('from'), to: text('to') }, now, timeZone);
  if (!reading.ok) throw new Refusal(400, reading.sentence);
  const until = readUntil(text('until'), now, timeZone);
  const method = text('method');
  if (method !== undefined && !/^[1-4]$/.test(method))
    throw new Refusal(400, 'A method is 1 e-mail, 2 WhatsApp, 3 SMS or 4 app push: choose one of these.');
  const state = text('state');
  if (state !== undefined && !states.includes(state)) {
    throw new Refusal(400, `A state is ${states.join(', ')}, which is sent or delivered: choose one of these.`);
  }
  const by = text('by') ?? 'office';
  if (!rows.includes(by)) throw new Refusal(400, `A report is by ${rows.join(' or ')}: choose one of these.`);
  return {
    range: reading.range,
    until,
    untilDay: dayOf(until, timeZone),
    by: by === 'site' ? 'site' : 'office',
    office: key('office', 'unit office'),
    site: key('site', 'site'),
    rule: key('rule', 'rule'),
    reason: reasonOf(text('reason')),
    method: method === undefined ? null : Number(method),
    state: state ?? null,
    search: text('q') ?? null,
  };
}

function readUntil(day: string | undefined, now: Date, timeZone: string): Date {
  const today = dayOf(now, timeZone);
  if (day === undefined || day === today) return now;
  const reading = readRange({ from: day, to: day }, now, timeZone);
  if (!reading.ok) throw new Refusal(400, 'Write the day as year-month-day, such as 2026-03-01.');
  if (day > today) throw new Refusal(400, 'This day is still to come. Choose today, or a day before it.');
  return reading.range.from;
}
