import { type Acknowledgement, acknowledgementOf, inOrder } from '../../../kit/format/alarm.ts';

interface EventRow {
  id: string;
  at: string;
  kind: string;
  sentence: string;
  detail: unknown;
}

interface MessageRow {
  uuid: string;
  notifyTime: string;
}

export interface TimelineSource<M extends MessageRow> {
  source: string;
  dateTime: string;
  resolvedDate: string | null;
  resolveNote: string | null;
  acknowledgeJson: unknown;
  events: readonly EventRow[];
  messages: readonly M[];
}

export type TimelineEntry<M> =
  | { id: string; at: string | null; kind: 'event'; event: string; title: string; sentence: string }
  | { id: string; at: string | null; kind: 'acknowledged'; acknowledgement: Acknowledgement }
  | { id: string; at: string; kind: 'message'; message: M }
  | { id: string; at: null; kind: 'still-open' };

const titles: Record<string, string> = {
  opened: 'Opened',
  occurred: 'Occurred again',
  clearing: 'Back in normal range',
  'out-again': 'In alarm range again',
  'one-back': 'One rule back to normal',
  resolved: 'Resolved',
  escalated: 'Escalated',
  'escalation-stopped': 'Escalation stopped',
  'not-notified': 'Not notified',
  action: 'Action',
  'rule-changed': 'Rule changed',
  'acknowledgement-undone': 'Acknowledgement undone',
  message: 'Message',
  shelved: 'Shelved',
  'shelving-extended': 'Shelving extended',
  unshelved: 'Shelving ended',
  'maintenance-started': 'Maintenance',
  'maintenance-ended': 'Maintenance ended',
  'dependency-started': 'Became a consequence',
  'dependency-ended': 'Cause ended',
  taken: 'Taken',
  'taken-over': 'Taken over',
  assigned: 'Assigned',
  released: 'Released',
  digest: 'In a digest',
};

/** Timeline titles for alarms with conditions. Conditions are met or not met, instead of inside or outside limits. */
const titlesOfConditions: Record<string, string> = {
  ...titles,
  clearing: 'Conditions no longer met',
  'out-again': 'Conditions met again',
};

/**
 * Returns everything that happened to an alarm, oldest first. If no event is stored for the opening, acknowledgement or
 * resolution, creates the entry from the alarm's fields.
 */
export function timelineOf<M extends MessageRow>(alarm: TimelineSource<M>): TimelineEntry<M>[] {
  const has = (kind: string) => alarm.events.some((event) => event.kind === kind);
  const acknowledgement = acknowledgementOf(alarm.acknowledgeJson);
  const known = {
    ...(alarm.source === 'conditions' ? titlesOfConditions : titles),
    // If the escalation stopped before its first step, the entry is titled “Not escalated”.
    ...(has('escalated') ? {} : { 'escalation-stopped': 'Not escalated' }),
  };
  const entries: TimelineEntry<M>[] = alarm.events.map((event) => eventEntry<M>(event, known, acknowledgement));
  if (!has('opened')) {
    entries.unshift(plainEntry('opened', alarm.dateTime, ''));
  }
  entries.push(
    ...alarm.messages.map((message) => ({
      id: message.uuid,
      at: message.notifyTime,
      kind: 'message' as const,
      message,
    })),
  );
  if (acknowledgement !== null && !has('acknowledged')) {
    entries.push({ id: 'acknowledged', at: acknowledgement.at, kind: 'acknowledged', acknowledgement });
  }
  if (alarm.resolvedDate === null) {
    entries.push({ id: 'still-open', at: null, kind: 'still-open' });
  } else if (!has('resolved')) {
    entries.push(plainEntry('resolved', alarm.resolvedDate, alarm.resolveNote ?? ''));
  }
  return inOrder(entries);
}

/**
 * Converts an event to a timeline entry. `own` is the acknowledgement stored with the alarm. It is used if an
 * acknowledgement event has no details.
 */
function eventEntry<M>(
  { id, at, kind, sentence, detail }: EventRow,
  known: Record<string, string>,
  own: Acknowledgement | null,
): TimelineEntry<M> {
  const acknowledgement = kind === 'acknowledged' ? (acknowledgementOf(detail) ?? own) : null;
  if (acknowledgement !== null) {
    return { id, at, kind: 'acknowledged', acknowledgement };
  }
  const title = kind === 'note' ? `Note by ${authorOf(detail)}` : (titleOfReason(detail) ?? known[kind] ?? 'Note');
  return { id, at, kind: 'event', event: kind, title, sentence };
}

/**
 * Returns a more specific title for an event; undefined if the usual title of its kind fits. If the SMS budget is used
 * up, only the SMS is not sent: other methods still notify the person. In a flood, a digest notifies the person.
 */
function titleOfReason(detail: unknown): string | undefined {
  const { because } = (detail ?? {}) as { because?: unknown };
  if (because === 'flood') return 'Opened in a flood';
  return because === 'budget' ? 'SMS not sent' : undefined;
}

function authorOf(detail: unknown): string {
  const { name } = (detail ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : 'a person';
}

function plainEntry<M>(event: string, at: string, sentence: string): TimelineEntry<M> {
  return { id: event, at, kind: 'event', event, title: titles[event] ?? '', sentence };
}

/** Returns how the alarm was acknowledged, such as `in the console`. The text follows the person's name. */
export function channelWords(channel: string): string {
  const words: Record<string, string> = {
    console: 'in the console',
    app: 'in the app',
    email: 'through the link in an e-mail',
    whatsapp: 'through the link in a WhatsApp message',
    sms: 'through the link in an SMS',
    push: 'through a push notification',
    'sms-answer': 'by answering an SMS',
    'whatsapp-answer': 'by answering a WhatsApp message',
  };
  return words[channel] ?? '';
}

interface Messages<M> {
  totalCount: number;
  nodes: readonly (M | null)[];
}

/**
 *  Returns the notifications of an alarm and the digests that reported it, and their total number. A digest is also a
 * notification of its first alarm.
 */
export function messagesOf<M extends MessageRow>(alarm: { notifications: Messages<M>; digests: Messages<M> }) {
  const listed = [...alarm.notifications.nodes, ...alarm.digests.nodes].filter((message) => message !== null);
  const messages = [...new Map(listed.map((message) => [message.uuid, message])).values()];
  const total = alarm.notifications.totalCount + alarm.digests.totalCount - (listed.length - messages.length);
  return { messages, total };
}
