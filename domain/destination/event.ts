import type { Severity } from '../rule/priority.ts';

export const destinationKinds = ['webhook', 'slack', 'teams'] as const;
export type DestinationKind = (typeof destinationKinds)[number];

/** Events of an alarm that are posted to destinations. */
export type AlarmEventName = 'opened' | 'still-open' | 'acknowledged' | 'acknowledgement-undone' | 'resolved';

/** An alarm as a destination sees it. Times are ISO 8601 in UTC. */
export interface PostedAlarm {
  uuid: string;
  severity: Severity;
  message: string;
  site: { uuid: string | null; name: string };
  rule: string;
  asset: string;
  dataPoint: string;
  value: number | null;
  unit: string;
  openedAt: string;
  acknowledged: { at: string; by: string; reason: string } | null;
  resolvedAt: string | null;
}

export interface PostedEvent {
  event: AlarmEventName;
  /** Grows with each event of an alarm. */
  sequence: number;
  at: string;
  alarm: PostedAlarm;
}

/** What a delivery says: one event of an alarm, the events of a flood, or a test message. */
export type DeliveryContent =
  | ({ kind: 'event' } & PostedEvent)
  | { kind: 'digest'; events: PostedEvent[] }
  | { kind: 'test' };

/** A delivery from which the body of a request is composed. The same delivery always gives the same body. */
export interface ComposedDelivery {
  uuid: string;
  createdAt: string;
  content: DeliveryContent;
  /** Public address of the console. */
  publicUrl: string;
}

/** Addresses in the console: the alarm, and the alarm with its acknowledge dialog. */
export function alarmLinks(publicUrl: string, alarmUuid: string): { alarm: string; acknowledge: string } {
  const alarm = `${publicUrl.replace(/\/$/, '')}/dashboard/alarms/${alarmUuid}`;
  return { alarm, acknowledge: `${alarm}?acknowledge=again` };
}

/** Returns whether an alarm can still be acknowledged. */
export function canAcknowledge({ acknowledged, resolvedAt }: PostedAlarm): boolean {
  return acknowledged === null && resolvedAt === null;
}
