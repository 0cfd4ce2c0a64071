import { withSeverity } from '../alarm/texts.ts';
import { plural } from '../plural.ts';
import { type Severity, severities, severityNames } from '../rule/priority.ts';
import { smsSegments } from '../sms.ts';
import { localTime } from '../week.ts';

/** What a digest says about an alarm: it opened, resolved, escalated, or is still open after it was quiet. */
export type DigestSubject = 'opened' | 'resolved' | 'escalated' | 'reminder';

/** Number of alarms in a digest that have the same subject, severity and site. */
export interface DigestCount {
  subject: DigestSubject;
  severity: Severity;
  site: string;
  alarms: number;
}

/** The flood in which alarms of a digest opened. */
export interface DigestFlood {
  /** Name of the unit office or site. */
  place: string;
  beganAt: number;
  endedAt: number | undefined;
  firstMessage: string;
  timeZone: string;
}

export interface DigestFacts {
  counts: readonly DigestCount[];
  /** The oldest flood comes first. */
  floods: readonly DigestFlood[];
}

export interface DigestTexts {
  /** Severity of the worst alarm. */
  severity: Severity;
  subject: string;
  text: string;
  /** Text of an SMS. With a link of `LINK_LENGTH` characters it has at most two segments. */
  sms: string;
}

/** Length that is reserved for the link of a queued SMS. The link itself is only known when the SMS is sent. */
export const LINK_LENGTH = 100;
const MOST_SEGMENTS = 2;
const MOST_SITES = 3;

/** Composes a digest. `counts` and `floods` must not be empty. */
export function digestTexts({ counts, floods }: DigestFacts): DigestTexts {
  const severity = severities.find((known) => counts.some((count) => count.severity === known)) ?? 'minor';
  const isResolved = counts.every(({ subject }) => subject === 'resolved');
  const [first] = floods as readonly [DigestFlood, ...DigestFlood[]];
  const said = saidOf(counts);
  const where = floods.length === 1 ? first.place : `${first.place} and ${floods.length - 1} more`;
  const time = first.endedAt === undefined ? `since ${timeOf(first.beganAt, first)}` : periodOf(first, first.endedAt);
  const cause = `First: ${first.firstMessage.replace(/\.$/, '')}`;
  const put = (text: string) => withSeverity(severity, text, isResolved);
  const sites = sitesOf(counts);
  const text = put(`Alarm flood at ${where} ${time}. ${cause}. ${said}. ${sites}.`);
  const place = cut(plain(where), 30);
  const variants = [
    text,
    put(`Alarm flood at ${where} ${time}. ${cause}. ${said}.`),
    put(plain(`Alarm flood at ${where} ${time}. ${cause}. ${said}.`)),
    put(`Flood at ${place} ${time}. ${cut(plain(cause), 60)}. ${said}.`),
    put(`Flood ${time}. ${said}.`),
  ];
  return {
    severity,
    subject: put(`Alarm flood at ${where}: ${said}`).slice(0, 200).toWellFormed(),
    text,
    sms: variants.find(fits) ?? put(`Flood: ${counts.reduce((sum, { alarms }) => sum + alarms, 0)} alarms.`),
  };
}

function fits(text: string): boolean {
  return smsSegments(`${text} ${'x'.repeat(LINK_LENGTH)}`).segments <= MOST_SEGMENTS;
}

const afterCount: Readonly<Record<Exclude<DigestSubject, 'opened'>, string>> = {
  resolved: 'resolved',
  escalated: 'not acknowledged',
  reminder: 'still open after shelving',
};

/** Returns the numbers of a digest: `27 new alarms (3 major, 24 minor), 5 resolved`. */
function saidOf(counts: readonly DigestCount[]): string {
  const sum = (chosen: readonly DigestCount[]) => chosen.reduce((total, { alarms }) => total + alarms, 0);
  const of = (subject: DigestSubject) => counts.filter((count) => count.subject === subject);
  const opened = of('opened');
  const bySeverity = severities.flatMap((severity) => {
    const alarms = sum(opened.filter((count) => count.severity === severity));
    return alarms === 0 ? [] : [`${alarms} ${severityNames[severity].toLowerCase()}`];
  });
  const news = sum(opened);
  const rest = (['escalated', 'reminder', 'resolved'] as const).flatMap((subject) => {
    const alarms = sum(of(subject));
    return alarms === 0 ? [] : [`${alarms} ${afterCount[subject]}`];
  });
  const front = news === 0 ? [] : [`${news} new ${plural(news, 'alarm')} (${bySeverity.join(', ')})`];
  const all = [...front, ...rest].join(', ');
  return news === 0 ? `Alarms: ${all}` : all;
}

/** Returns the sites with the most alarms: `Sites: Mill (20), Weir (7)`. */
function sitesOf(counts: readonly DigestCount[]): string {
  const alarms = new Map<string, number>();
  for (const count of counts) alarms.set(count.site, (alarms.get(count.site) ?? 0) + count.alarms);
  const sites = [...alarms].toSorted(([a, many], [b, other]) => other - many || (a < b ? -1 : 1));
  const named = sites.slice(0, MOST_SITES).map(([site, number]) => `${site} (${number})`);
  const more = sites.length - MOST_SITES;
  return `${plural(sites.length, 'Site')}: ${[...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`;
}

function periodOf(flood: DigestFlood, endedAt: number): string {
  return `from ${timeOf(flood.beganAt, flood)} to ${timeOf(endedAt, flood)}`;
}

/** Formats a time of day in the customer's time zone. */
function timeOf(at: number, { timeZone }: DigestFlood): string {
  const { hour, minute } = localTime(new Date(at), timeZone);
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** Removes accents that would switch an SMS to UCS-2, which holds less than half of the characters. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ł', 'l').replaceAll('Ł', 'L');
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 3).trimEnd()}...`.toWellFormed();
}
