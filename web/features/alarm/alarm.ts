/** What an alarm says, read out of what the server stores. */
export type Severity = 'critical' | 'major' | 'minor' | 'silent';

/** Worst first. */
export const severities: readonly Severity[] = ['critical', 'major', 'minor', 'silent'];

export function severityOf(text: string): Severity {
  return severities.find((severity) => severity === text) ?? 'major';
}

export interface Acknowledgement {
  name: string;
  at: string | null;
  reason: string;
  text: string;
  channel: string;
}

/** Who acknowledged, when and why, out of the record the server keeps; null where nobody has. */
export function acknowledgementOf(json: unknown): Acknowledgement | null {
  if (typeof json !== 'object' || json === null) {
    return null;
  }
  const record = json as Record<string, unknown>;
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : '');
  const at = text('at');
  return {
    name: text('name') || 'Somebody',
    at: Number.isNaN(Date.parse(at)) ? null : at,
    reason: text('reason'),
    text: text('text'),
    channel: text('channel'),
  };
}

const methods: Record<number, string> = { 1: 'E-mail', 2: 'WhatsApp', 3: 'SMS', 4: 'Push' };

export function methodName(methodType: number): string {
  return methods[methodType] ?? 'Message';
}

interface Sending {
  state: string;
  attempts: number;
  notifyTime: string;
  deliveredAt: string | null;
  providerAnswer: string;
}

/** What became of a message, to be read after the person's name: `delivered after 7 s`. */
export function fateOf(message: Sending, formatAge: (milliseconds: number) => string): string {
  switch (message.state) {
    case 'delivered':
      return message.deliveredAt === null
        ? 'delivered'
        : `delivered after ${formatAge(Date.parse(message.deliveredAt) - Date.parse(message.notifyTime))}`;
    case 'failed': {
      const times = message.attempts > 1 ? ` ${message.attempts} times` : '';
      return `failed${times}${message.providerAnswer ? `, ${message.providerAnswer}` : ''}`;
    }
    case 'sent':
      return 'sent, not confirmed yet';
    default:
      return 'waiting to be sent';
  }
}

/** The order in which things happened; what has no time comes last. */
export function inOrder<E extends { at: string | null }>(events: readonly E[]): E[] {
  const time = (event: E) => (event.at === null ? Number.POSITIVE_INFINITY : Date.parse(event.at));
  return events.toSorted((a, b) => (time(a) === time(b) ? 0 : time(a) - time(b)));
}
