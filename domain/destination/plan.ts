import type { AlarmEventName, PostedEvent } from './event.ts';

/** An event that waits in the queue, with the facts about its alarm. */
export interface QueuedEvent {
  id: number;
  event: AlarmEventName;
  posted: PostedEvent;
  alarmUuid: string;
  /** Destinations of the alarm's site and of its groups. */
  destinations: readonly string[];
  /** Destinations that were notified of the alarm before. */
  notified: readonly string[];
  /** True if people were not notified when the alarm opened. */
  openedQuiet: boolean;
  /** True if the alarm is quiet now. */
  isQuiet: boolean;
  /** True if the alarm opened during a flood and is not critical. */
  isFlooded: boolean;
}

export interface PlannedDelivery {
  destination: string;
  alarmUuids: string[];
  content: ({ kind: 'event' } & PostedEvent) | { kind: 'digest'; events: PostedEvent[] };
}

export interface DeliveryPlan {
  deliveries: PlannedDelivery[];
  /** Destinations that are now notified of an alarm. */
  notified: { destination: string; alarmUuid: string }[];
  /** Events to remove from the queue. The others wait for the next digest. */
  done: number[];
  hasDigest: boolean;
}

/**
 * Decides which events are posted to which destinations. The rules are those of people's notifications: an alarm that
 * opens quiet is posted when its quiet time ends, if it is still open. Alarms of a flood are posted in digests, all
 * their events together. An acknowledgement or a resolution is posted only where the opening was. `mayDigest` is false
 * while the last digest is too recent.
 */
export function planDeliveries(events: readonly QueuedEvent[], mayDigest: boolean): DeliveryPlan {
  const plan: DeliveryPlan = { deliveries: [], notified: [], done: [], hasDigest: false };
  /** Destinations that were notified of each alarm, including the deliveries of this plan. */
  const notified = new Map<string, Set<string>>();
  const digests = new Map<string, PostedEvent[]>();
  /** Alarms with an event that waits. Their later events wait too, so that the order is kept. */
  const waiting = new Set<string>();
  for (const one of [...events].sort((a, b) => a.id - b.id)) {
    const { id, alarmUuid, isFlooded, posted } = one;
    const known = notified.get(alarmUuid) ?? new Set(one.notified);
    notified.set(alarmUuid, known);
    const targets = isOpening(one.event) ? opensAt(one, known) : [...known];
    if (targets.length > 0 && isFlooded && !mayDigest) waiting.add(alarmUuid);
    if (waiting.has(alarmUuid)) continue;
    plan.done.push(id);
    for (const destination of targets) {
      if (!known.has(destination)) {
        known.add(destination);
        plan.notified.push({ destination, alarmUuid });
      }
      if (isFlooded) digests.set(destination, [...(digests.get(destination) ?? []), posted]);
      else plan.deliveries.push({ destination, alarmUuids: [alarmUuid], content: { kind: 'event', ...posted } });
    }
  }
  for (const [destination, posts] of digests) {
    const alarmUuids = [...new Set(posts.map(({ alarm }) => alarm.uuid))];
    plan.deliveries.push({ destination, alarmUuids, content: { kind: 'digest', events: posts } });
    plan.hasDigest = true;
  }
  return plan;
}

function isOpening(event: AlarmEventName): boolean {
  return event === 'opened' || event === 'still-open';
}

function opensAt(one: QueuedEvent, notified: ReadonlySet<string>): string[] {
  if (one.event === 'opened') return one.openedQuiet ? [] : one.destinations.filter((place) => !notified.has(place));
  const { isQuiet, posted } = one;
  return isQuiet || posted.alarm.resolvedAt !== null ? [] : [...one.destinations];
}
