import { expect, test } from 'vitest';
import { messagesOf, type TimelineSource, timelineOf } from './timeline.ts';

const opened = '2026-03-02T08:00:00Z';
const base: TimelineSource<{ uuid: string; notifyTime: string }> = {
  source: 'limits',
  dateTime: opened,
  resolvedDate: null,
  resolveNote: null,
  acknowledgeJson: null,
  events: [],
  messages: [],
};
const event = (id: string, at: string, kind: string, detail: unknown = null) => ({
  ...{ id, at, kind, detail },
  sentence: `${kind}.`,
});
const shape = (alarm: Partial<TimelineSource<{ uuid: string; notifyTime: string }>>) =>
  timelineOf({ ...base, ...alarm }).map((entry) => (entry.kind === 'event' ? entry.event : entry.kind));

test('merges events and messages in the order they happened', () => {
  const acknowledged = { name: 'Anna', at: '2026-03-02T08:02:00Z', reason: 'Crew on the way', channel: 'sms' };
  expect(
    shape({
      acknowledgeJson: acknowledged,
      events: [
        event('1', opened, 'opened'),
        event('2', '2026-03-02T08:02:00Z', 'acknowledged', acknowledged),
        event('3', '2026-03-02T08:02:00Z', 'escalation-stopped'),
      ],
      messages: [{ uuid: 'm', notifyTime: '2026-03-02T08:00:01Z' }],
    }),
  ).toEqual(['opened', 'message', 'acknowledged', 'escalation-stopped', 'still-open']);
});

test('titles a stop before the first escalation Not escalated', () => {
  const titlesOf = (events: TimelineSource<never>['events']) =>
    timelineOf({ ...base, events }).flatMap((entry) => (entry.kind === 'event' ? entry.title : []));
  const stopped = event('3', '2026-03-02T08:20:00Z', 'escalation-stopped');
  expect(titlesOf([event('1', opened, 'opened'), stopped])).toEqual(['Opened', 'Not escalated']);
  const escalated = event('2', '2026-03-02T08:15:00Z', 'escalated');
  expect(titlesOf([event('1', opened, 'opened'), escalated, stopped])[2]).toBe('Escalation stopped');
});

test('builds opening, acknowledgement and resolution of an old alarm without events', () => {
  const entries = timelineOf({
    ...base,
    acknowledgeJson: { name: 'Anna', at: '2026-03-02T08:02:00Z', reason: 'Sensor fault' },
    resolvedDate: '2026-03-02T09:00:00Z',
    resolveNote: 'Float cleaned',
  });
  expect(entries).toMatchObject([
    { kind: 'event', title: 'Opened', at: opened },
    { kind: 'acknowledged', acknowledgement: { name: 'Anna', reason: 'Sensor fault' } },
    { kind: 'event', title: 'Resolved', sentence: 'Float cleaned' },
  ]);
});

test('reads an acknowledgement from the alarm if its event has no detail', () => {
  const acknowledgeJson = { name: 'Anna', at: '2026-03-02T08:02:00Z', reason: 'Sensor fault' };
  const events = [event('1', opened, 'opened'), event('2', '2026-03-02T08:02:00Z', 'acknowledged')];
  expect(timelineOf({ ...base, acknowledgeJson, events })[1]).toMatchObject({
    kind: 'acknowledged',
    acknowledgement: { name: 'Anna', reason: 'Sensor fault' },
  });
});

test('shows an unknown event with its sentence', () => {
  expect(timelineOf({ ...base, events: [event('1', opened, 'moved')] })).toContainEqual(
    expect.objectContaining({ title: 'Note', sentence: 'moved.' }),
  );
});

test.each([
  ['limits', 'Back in normal range', 'In alarm range again'],
  ['conditions', 'Conditions no longer met', 'Conditions met again'],
])('titles the clearing of %s “%s”, and the return of the alarm “%s”', (source, over, again) => {
  const events = [event('1', opened, 'opened'), event('2', opened, 'clearing'), event('3', opened, 'out-again')];
  expect(timelineOf({ ...base, source, events })).toMatchObject([
    { title: 'Opened' },
    { title: over },
    { title: again },
    { kind: 'still-open' },
  ]);
});

test('titles the start, extension and end of a shelving', () => {
  const events = ['opened', 'shelved', 'shelving-extended', 'unshelved'].map((kind, index) =>
    event(String(index), `2026-03-02T08:0${index}:00Z`, kind),
  );
  const titled = timelineOf({ ...base, events }).flatMap((entry) => (entry.kind === 'event' ? entry.title : []));
  expect(titled).toEqual(['Opened', 'Shelved', 'Shelving extended', 'Shelving ended']);
});

test('titles the changes of who has the alarm', () => {
  const events = ['opened', 'taken', 'taken-over', 'assigned', 'released'].map((kind, index) =>
    event(String(index), `2026-03-02T08:0${index}:00Z`, kind),
  );
  const titled = timelineOf({ ...base, events }).flatMap((entry) => (entry.kind === 'event' ? entry.title : []));
  expect(titled).toEqual(['Opened', 'Taken', 'Taken over', 'Assigned', 'Released']);
});

test('has the title “SMS not sent” for an SMS that a budget suppressed, because the person got other messages', () => {
  const suppressed = event('2', opened, 'not-notified', { because: 'budget', stage: 'budget' });
  const titles = timelineOf({ ...base, events: [event('1', opened, 'opened'), suppressed] }).flatMap((entry) =>
    entry.kind === 'event' ? entry.title : [],
  );
  expect(titles).toEqual(['Opened', 'SMS not sent']);
});

test('lists a digest once, even if it is also a notification of the alarm', () => {
  const row = (uuid: string) => ({ uuid, notifyTime: opened });
  const of = (...nodes: { uuid: string; notifyTime: string }[]) => ({ totalCount: nodes.length, nodes });
  const { messages, total } = messagesOf({ notifications: of(row('a'), row('d')), digests: of(row('d'), row('e')) });
  expect([messages.map(({ uuid }) => uuid), total]).toEqual([['a', 'd', 'e'], 3]);
});

test('titles an opening in a flood, and the digest', () => {
  const events = [
    event('1', opened, 'opened'),
    event('2', opened, 'not-notified', { because: 'flood', stage: 'flood' }),
    event('3', '2026-03-02T08:01:00Z', 'digest'),
  ];
  const titles = timelineOf({ ...base, events }).flatMap((entry) => (entry.kind === 'event' ? entry.title : []));
  expect(titles).toEqual(['Opened', 'Opened in a flood', 'In a digest']);
});
