import { formatAge } from '../age.ts';
import { type Severity, severityNames } from '../rule/priority.ts';
import { smsSegments } from '../sms.ts';
import { type MessageFacts, renderMessage } from './message.ts';
import { plainNumber } from './number-text.ts';

/** What an alarm is called: the rule's words, else the customer's, else the rule's name; with what happened filled in. */
export function alarmMessage(
  templates: { rule: string; customer: string | null; name: string },
  facts: MessageFacts,
): string {
  const template = templates.rule.trim() || templates.customer?.trim() || templates.name;
  return renderMessage(template, facts) || templates.name;
}

/** The site stands in front where the message does not name it already. */
export function withSite(site: string, message: string): string {
  return hasWords(message, site) ? message : `${site}: ${message}`;
}

/** Whether words stand in a text by themselves, and not within longer words or numbers. */
function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const before = text.slice(0, at);
    const after = text.slice(at + words.length);
    if (!/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}\p{M}]/u.test(after)) return true;
  }
  return false;
}

/** Whether the message of these templates says the value with its unit, by placeholder: a limit can have the same digits. */
export function includesValue(templates: Parameters<typeof alarmMessage>[0], facts: MessageFacts): boolean {
  const message = alarmMessage(templates, facts);
  const without = (left: Partial<MessageFacts>) => alarmMessage(templates, { ...facts, ...left });
  return message !== without({ value: null }) && (facts.unit === '' || message !== without({ unit: '' }));
}

/**
 * Puts the severity first in a text or subject, so that a lock screen shows it: `CRITICAL: Mill: High level`. A resolution
 * begins with the good news: `RESOLVED (critical): Mill: High level`.
 */
export function withSeverity(severity: Severity, text: string, isResolved = false): string {
  const name = severityNames[severity];
  return isResolved ? `RESOLVED (${name.toLowerCase()}): ${text}` : `${name.toUpperCase()}: ${text}`;
}

/** The text of an SMS with its link. The date gives way where that saves a billed segment: a phone shows the day itself. */
export function smsText(text: string, link: string | undefined): string {
  const whole = link === undefined ? text : `${text} ${link}`;
  const short = whole.replace(/, at \d{4}-\d\d-\d\d (\d\d:\d\d)(?= http|$)/, ', at $1');
  return smsSegments(short).segments < smsSegments(whole).segments ? short : whole;
}

/** Of a rule of many conditions, as many values as a text message has room for. */
const MOST_MEASURED = 4;

/**
 * What people are told of it. The site stands in front and the value behind, where the message does not have them already, which
 * `saysValue` knows; conditions have several, as `measuredWords` writes them.
 */
export function alarmText(
  message: string,
  facts: MessageFacts,
  measured: readonly string[] = [],
  hasValue = false,
): string {
  const front = withSite(facts.site, message);
  if (measured.length > 0) {
    const more = measured.length - MOST_MEASURED;
    const said = [...measured.slice(0, MOST_MEASURED), ...(more > 0 ? [`${more} more`] : [])];
    return `${front.replace(/\.$/, '')}. ${said.join(', ')}, ${renderMessage('at {time}', facts)}`;
  }
  if (facts.value === null || hasValue) return front;
  const detail = renderMessage('{asset} {datapoint}: {value} {unit}, alarm {limit}, at {time}', facts);
  return `${front.replace(/\.$/, '')}. ${facts.limit === '' ? detail.replace(', alarm,', ',') : detail}`;
}

/** A length of time as the console shows it. A text message has no space that does not break, so it would need the costlier alphabet. */
function durationText(ms: number): string {
  return formatAge(ms).replaceAll('\u00a0', ' ');
}

/**
 * How long it was so when an alarm opened. At least: after an alarm that was resolved by hand the time is counted anew, while the
 * value may have been out all along.
 */
export function outsideForText(source: 'limits' | 'digital' | 'conditions', ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds <= 0) return '';
  return source === 'conditions' ? ` for at least ${seconds} s` : `, out of limits for at least ${seconds} s`;
}

/** What the alarm of a silent site is called, and the rule alert that may say more about it. */
export const SILENT_SITE = 'Site silent';

/** What is said of a site that nothing arrives from; `heard` is when something last did. */
export function silenceText(heard: number | null, now: number): string {
  return heard === null
    ? 'Nothing has ever arrived from its sensors.'
    : `Nothing has arrived from any of its sensors for ${durationText(now - heard)}.`;
}

/**
 * By what an alarm ended that ended by itself, and since when that is so. `state` is what a digital channel is called now, empty where it is
 * not known.
 */
export function insideAgainText(
  source: 'limits' | 'digital' | 'conditions',
  facts: MessageFacts,
  state: string,
): string {
  const since = renderMessage('since {time}', facts);
  if (source === 'conditions') return `its conditions have not held ${since}`;
  if (source === 'digital') return `${state || 'normal'} ${since}`;
  const value = facts.value === null ? '' : ` (${renderMessage('{value} {unit}', facts)})`;
  return `inside its limits ${since}${value}`;
}

export interface ResolvedFacts {
  site: string;
  message: string;
  openedAt: number;
  resolvedAt: number;
  /** Why it is over; empty where that is not known. */
  because: string;
  /** The newest value, where it need not have come back. */
  last?: { value: number; unit: string } | undefined;
}

export function resolvedText({ site, message, openedAt, resolvedAt, because, last }: ResolvedFacts): string {
  const lasted = `${withSite(site, message).replace(/\.$/, '')}. After ${durationText(resolvedAt - openedAt)}`;
  if (because === '') return lasted;
  if (!last) return `${lasted}: ${because}`;
  return `${lasted}: ${because.replace(/\.$/, '')}. Last value ${`${plainNumber(last.value)} ${last.unit}`.trim()}.`;
}

/** What is said of an alarm that a person resolved while it lasted, so that nobody takes it for an all-clear. */
export function stillOutsideText(source: string): string {
  if (source === 'limits') return 'It was still out of its limits.';
  return source === 'conditions' ? 'Its conditions still held.' : 'It still lasted.';
}

export function escalationText(text: string, unacknowledgedMs: number): string {
  return `Not acknowledged for ${durationText(unacknowledgedMs)}. ${text}`;
}
