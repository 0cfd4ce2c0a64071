import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AlarmEventName, PostedEvent } from './event.ts';
import { planDeliveries, type QueuedEvent } from './plan.ts';

const posted = (alarmUuid: string, event: AlarmEventName, sequence: number, resolved = false): PostedEvent => ({
  ...{ event, sequence, at: '2026-03-02T08:00:00.000Z' },
  alarm: {
    ...{ uuid: alarmUuid, severity: 'minor', message: 'High level', site: { uuid: 's', name: 'Mill' }, rule: 'High' },
    ...{ asset: '', dataPoint: '', value: null, unit: '', openedAt: '2026-03-02T08:00:00.000Z', acknowledged: null },
    resolvedAt: resolved ? '2026-03-02T09:00:00.000Z' : null,
  },
});

function queued(id: number, alarmUuid: string, event: AlarmEventName, more: Partial<QueuedEvent> = {}): QueuedEvent {
  return {
    ...{ id, event, alarmUuid, posted: posted(alarmUuid, event, id), destinations: ['desk'], notified: [] },
    ...{ openedQuiet: false, isQuiet: false, isFlooded: false },
    ...more,
  };
}

const summary = ({ deliveries }: ReturnType<typeof planDeliveries>) =>
  deliveries.map(
    ({ destination, content }) => `${destination} ${content.kind === 'digest' ? 'digest' : content.event}`,
  );

describe('the events of an alarm', () => {
  test('are posted in order and leave the queue', () => {
    const plan = planDeliveries([queued(2, 'a', 'resolved'), queued(1, 'a', 'opened')], true);
    expect(summary(plan)).toEqual(['desk opened', 'desk resolved']);
    expect(plan).toMatchObject({ done: [1, 2], notified: [{ destination: 'desk', alarmUuid: 'a' }] });
  });

  test('are not posted where the opening was not', () => {
    const plan = planDeliveries([queued(1, 'a', 'acknowledged'), queued(2, 'a', 'resolved')], true);
    expect(plan).toMatchObject({ deliveries: [], done: [1, 2] });
  });

  test('are posted where the opening was, even if the site has left the group since', () => {
    const plan = planDeliveries([queued(1, 'a', 'resolved', { destinations: [], notified: ['desk'] })], true);
    expect(summary(plan)).toEqual(['desk resolved']);
  });

  test('that opened quiet are posted from the end of the quiet time', () => {
    expect(summary(planDeliveries([queued(1, 'a', 'opened', { openedQuiet: true, isQuiet: true })], true))).toEqual([]);
    const more = { openedQuiet: true };
    const later = [queued(2, 'a', 'still-open', more), queued(3, 'a', 'resolved', more)];
    expect(summary(planDeliveries(later, true))).toEqual(['desk still-open', 'desk resolved']);
  });

  test('are not posted as still open if the alarm has resolved or is quiet again', () => {
    const ended = { posted: posted('a', 'still-open', 1, true) };
    expect(summary(planDeliveries([queued(1, 'a', 'still-open', ended)], true))).toEqual([]);
    expect(summary(planDeliveries([queued(1, 'a', 'still-open', { isQuiet: true })], true))).toEqual([]);
  });

  test('of a flood wait for the digest, all of them', () => {
    const flood = { isFlooded: true };
    const events = [
      queued(1, 'a', 'opened', flood),
      queued(2, 'a', 'resolved', flood),
      queued(3, 'b', 'opened', flood),
    ];
    expect(planDeliveries(events, false)).toMatchObject({ deliveries: [], done: [], notified: [] });
    const plan = planDeliveries(events, true);
    expect(summary(plan)).toEqual(['desk digest']);
    expect(plan).toMatchObject({ done: [1, 2, 3], hasDigest: true, deliveries: [{ alarmUuids: ['a', 'b'] }] });
  });
});

const isOpening = (kind: AlarmEventName) => kind === 'opened' || kind === 'still-open';

const event = fc.record({
  alarm: fc.constantFrom('a', 'b', 'c'),
  kind: fc.constantFrom<AlarmEventName>('opened', 'still-open', 'acknowledged', 'acknowledgement-undone', 'resolved'),
  destinations: fc.subarray(['x', 'y']),
});

test('every destination gets the events of an alarm in order, from its opening on, none twice and none left out', () => {
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 20 }),
      fc.array(fc.boolean(), { maxLength: 6 }),
      fc.subarray(['a', 'b', 'c']),
      (wanted, digestTurns, flooded) => {
        let queue = wanted.map(({ alarm, kind, destinations }, index) =>
          queued(index + 1, alarm, kind, { destinations, isFlooded: flooded.includes(alarm) }),
        );
        const notified: { destination: string; alarmUuid: string }[] = [];
        const got = new Map<string, PostedEvent[]>();
        for (const mayDigest of [...digestTurns, true]) {
          const known = queue.map((one) => ({
            ...one,
            notified: notified
              .filter(({ alarmUuid }) => alarmUuid === one.alarmUuid)
              .map(({ destination }) => destination),
          }));
          const plan = planDeliveries(known, mayDigest);
          notified.push(...plan.notified);
          queue = queue.filter(({ id }) => !plan.done.includes(id));
          for (const { destination, content } of plan.deliveries) {
            for (const one of content.kind === 'digest' ? content.events : [content]) {
              const key = `${destination} ${one.alarm.uuid}`;
              got.set(key, [...(got.get(key) ?? []), one]);
            }
          }
        }
        expect(queue).toEqual([]);
        for (const [key, posts] of got) {
          const first = posts[0]?.sequence ?? 0;
          const changes = wanted.flatMap(({ alarm, kind }, index) =>
            key.endsWith(` ${alarm}`) && index + 1 > first && !isOpening(kind) ? [index + 1] : [],
          );
          const got = posts.filter(({ event }) => !isOpening(event)).map(({ sequence }) => sequence);
          expect(got).toEqual(changes);
          const numbers = posts.map(({ sequence }) => sequence);
          expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
          expect(['opened', 'still-open']).toContain(posts[0]?.event);
        }
        expect(new Set(notified.map(({ destination, alarmUuid }) => `${destination} ${alarmUuid}`)).size).toBe(
          notified.length,
        );
      },
    ),
    { numRuns: 500 },
  );
});
