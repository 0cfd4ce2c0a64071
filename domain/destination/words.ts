import { plainNumber } from '../alarm/number-text.ts';
import { severityNames } from '../rule/priority.ts';
import type { DeliveryContent, PostedAlarm, PostedEvent } from './event.ts';

/** Number of alarms that a digest lists in a chat. */
const LISTED = 10;

/** Returns the first line of a message: `Major alarm at Kelder Road PS`. */
export function eventTitle({ event, alarm }: PostedEvent): string {
  const at = `at ${alarm.site.name}`;
  if (event === 'opened') return `${severityNames[alarm.severity]} alarm ${at}`;
  if (event === 'still-open') return `Still open: ${severityNames[alarm.severity].toLowerCase()} alarm ${at}`;
  if (event === 'acknowledged') return `Acknowledged ${at}`;
  if (event === 'acknowledgement-undone') return `Acknowledgement undone ${at}`;
  return `Resolved ${at}`;
}

/** Returns who acknowledged an alarm and why; empty for other events. */
export function eventNote({ event, alarm: { acknowledged } }: PostedEvent): string {
  if (event !== 'acknowledged' || acknowledged === null) return '';
  return `${acknowledged.by} acknowledged the alarm${acknowledged.reason ? `: ${acknowledged.reason}` : ''}.`;
}

/** Returns the value that opened the alarm, such as `4.62 m`; empty if there is none. */
export function valueText({ value, unit }: PostedAlarm): string {
  return value === null ? '' : `${plainNumber(value)} ${unit}`.trim();
}

export function digestTitle(events: readonly PostedEvent[]): string {
  const opened = events.filter(({ event }) => event === 'opened' || event === 'still-open').length;
  const others = events.length - opened;
  const alarms = opened === 0 ? '' : opened === 1 ? '1 alarm opened' : `${opened} alarms opened`;
  const changes = others === 0 ? '' : others === 1 ? '1 change' : `${others} changes`;
  return `Alarm flood: ${[alarms, changes].filter(Boolean).join(', ')}`;
}

/** Returns a line for each event of a digest, and the number of events that are not listed. */
export function digestLines(events: readonly PostedEvent[]): string[] {
  const lines = events.slice(0, LISTED).map((event) => `${eventTitle(event)}: ${event.alarm.message}`);
  return events.length > LISTED ? [...lines, `and ${events.length - LISTED} more`] : lines;
}

/** Returns the title of a delivery in lists. */
export function contentTitle(content: DeliveryContent): string {
  if (content.kind === 'test') return 'Test message';
  return content.kind === 'digest' ? digestTitle(content.events) : `${eventTitle(content)}: ${content.alarm.message}`;
}

export const TEST_TEXT = 'This is a test message from Tocsin. No action is needed.';
