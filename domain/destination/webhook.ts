import { alarmLinks, type ComposedDelivery, type PostedEvent } from './event.ts';

/** Version of the JSON. A receiver can rely on its fields; a new field does not change the version. */
export const WEBHOOK_VERSION = 1;

/** Composes the JSON of a webhook. docs/webhooks.md describes it. */
export function webhookBody({ uuid, createdAt, content, publicUrl }: ComposedDelivery): object {
  const head = { version: WEBHOOK_VERSION, delivery: uuid, createdAt };
  if (content.kind === 'test') return { ...head, event: 'test' };
  if (content.kind === 'digest') {
    return { ...head, event: 'digest', events: content.events.map((one) => eventOf(one, publicUrl)) };
  }
  return { ...head, ...eventOf(content, publicUrl) };
}

function eventOf({ event, sequence, at, alarm }: PostedEvent, publicUrl: string): object {
  return { event, sequence, at, alarm: { ...alarm, links: alarmLinks(publicUrl, alarm.uuid) } };
}
