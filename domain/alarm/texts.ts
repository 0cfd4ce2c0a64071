import { formatAge } from '../age.ts';
import { type Severity, severityNames } from '../rule/priority.ts';
import { smsSegments } from '../sms.ts';
import { type MessageFacts, renderMessage } from './message.ts';
import { plainNumber } from './number-text.ts';

/**
 * Returns the message of an alarm: the template of the rule if it has one, otherwise the customer's default message,
 * otherwise the rule's name.
 */
export function alarmMessage(
  templates: { rule: string; customer: string | null; name: string },
  facts: MessageFacts,
): string {
  const template = templates.rule.trim() || templates.customer?.trim() || templates.name;
  return renderMessage(template, facts) || templates.name;
}

/** Prefixes the message with the site unless the message already contains it. */
export function withSite(site: string, message: string): string {
  return hasWords(message, site) ? message : `${site}: ${message}`;
}

/** Returns whether the text contains the words as whole words, not as part of longer words or numbers. */
function hasWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const before = text.slice(0, at);
    const after = text.slice(at + words.length);
    if (!/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}\p{M}]/u.test(after)) return true;
  }
  return false;
}

/**
 * Returns whether placeholders put the value and its unit into the message. Searching for the digits would not work,
 * because a limit can have the same digits.
 */
export function includesValue(templates: Parameters<typeof alarmMessage>[0], facts: MessageFacts): boolean {
  const message = alarmMessage(templates, facts);
  const without = (left: Partial<MessageFacts>) => alarmMessage(templates, { ...facts, ...left });
  return message !== without({ value: null }) && (facts.unit === '' || message !== without({ unit: '' }));
}

/**
 * Puts the severity first in a text or subject, so that a lock screen shows it: `CRITICAL: Mill: High level`. A
 * resolution starts with `RESOLVED`: `RESOLVED (critical): Mill: High level`.
 */
export function withSeverity(severity: Severity, text: string, isResolved = false): string {
  const name = severityNames[severity];
  return isResolved ? `RESOLVED (${name.toLowerCase()}): ${text}` : `${name.toUpperCase()}: ${text}`;
}

/** Returns the text of an SMS with its link. Omits the date if that saves a segment, because phones show the day. */
export function smsText(text: string, link: string | undefined): string {
  const whole = link === undefined ? text : `${text} ${link}`;
  const short = whole.replace(/, at \d{4}-\d\d-\d\d (\d\d:\d\d)(?= http|$)/, ', at $1');
  return smsSegments(short).segments < smsSegments(whole).segments ? short : whole;
}

/** Maximum number of values that one text lists for a multi-condition rule. */
const MOST_MEASURED = 4;

/**
 * Returns the text of a notification. Adds the site before the message unless the message contains the site. Adds the
 * value after the message unless `hasValue` is true. For a multi-condition rule, `measured` contains the text of each
 * value.
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

/** Formats a duration with plain spaces, because a non-breaking space would switch an SMS to UCS-2. */
function durationText(ms: number): string {
  return formatAge(ms).replaceAll('\u00a0', ' ');
}

/**
 * Describes how long the value was outside the limits when the alarm opened. The text says "at least", because a manual
 * resolution restarts the count while the value may stay outside.
 */
export function outsideForText(source: 'limits' | 'digital' | 'conditions', ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds <= 0) return '';
  return source === 'conditions' ? ` for at least ${seconds} s` : `, out of limits for at least ${seconds} s`;
}

/** Name of the alarm of a silent site. The rule alert for silent sites has the same name. */
export const SILENT_SITE = 'Site silent';

/** Returns the text about a silent site. `heard` is the time of the site's last contact; null if it never sent data. */
export function silenceText(heard: number | null, now: number): string {
  return heard === null
    ? 'Its sensors have never sent data.'
    : `None of its sensors has sent data for ${durationText(now - heard)}.`;
}

/**
 * Returns the reason why an alarm resolved automatically, with the time from which the reason applied. `state` is the
 * name of the current state of a digital channel; empty if unknown.
 */
export function insideAgainText(
  source: 'limits' | 'digital' | 'conditions',
  facts: MessageFacts,
  state: string,
): string {
  const since = renderMessage('since {time}', facts);
  if (source === 'conditions') return `its conditions have not been met ${since}`;
  if (source === 'digital') return `${state || 'normal'} ${since}`;
  const value = facts.value === null ? '' : ` (${renderMessage('{value} {unit}', facts)})`;
  return `inside its limits ${since}${value}`;
}

export interface ResolvedFacts {
  site: string;
  message: string;
  openedAt: number;
  resolvedAt: number;
  /** Reason for the resolution; empty if unknown. */
  because: string;
  /** The latest value, if it may still be outside the limits. */
  last?: { value: number; unit: string } | undefined;
}

export function resolvedText({ site, message, openedAt, resolvedAt, because, last }: ResolvedFacts): string {
  const lasted = `${withSite(site, message).replace(/\.$/, '')}. After ${durationText(resolvedAt - openedAt)}`;
  if (because === '') return lasted;
  if (!last) return `${lasted}: ${because}`;
  return `${lasted}: ${because.replace(/\.$/, '')}. Last value ${`${plainNumber(last.value)} ${last.unit}`.trim()}.`;
}

/** Returns the warning for an alarm that a user resolved while its cause was still present. */
export function stillOutsideText(source: string): string {
  if (source === 'limits') return 'It was still out of limits.';
  return source === 'conditions' ? 'Its conditions were still met.' : 'The cause was still present.';
}

export function escalationText(text: string, unacknowledgedMs: number): string {
  return `Not acknowledged for ${durationText(unacknowledgedMs)}. ${text}`;
}
