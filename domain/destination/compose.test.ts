import { describe, expect, test } from 'vitest';
import { composeBody } from './compose.ts';
import type { DeliveryContent, DestinationKind, PostedAlarm, PostedEvent } from './event.ts';
import { contentTitle } from './words.ts';

const alarm: PostedAlarm = {
  ...{ uuid: 'a1', severity: 'major', message: 'Level <high> & rising', site: { uuid: 's1', name: 'Mill *1*' } },
  ...{ rule: 'High level', asset: 'Tank', dataPoint: 'Level', value: 4.62, unit: 'm' },
  ...{ openedAt: '2026-03-02T08:00:00.000Z', acknowledged: null, resolvedAt: null },
};
const opened: PostedEvent = { event: 'opened', sequence: 7, at: '2026-03-02T08:00:01.000Z', alarm };
const acknowledged: PostedEvent = {
  ...opened,
  event: 'acknowledged',
  alarm: { ...alarm, acknowledged: { at: '2026-03-02T08:05:00.000Z', by: 'Vera', reason: 'Pump blocked' } },
};

const compose = (kind: DestinationKind, content: DeliveryContent) =>
  JSON.parse(
    composeBody(kind, {
      ...{ uuid: 'd1', createdAt: '2026-03-02T08:00:02.000Z', content },
      publicUrl: 'https://tocsin.example.com/',
    }),
  );

describe('a webhook', () => {
  test('has the version, the key, the event and the alarm with its links', () => {
    expect(compose('webhook', { kind: 'event', ...opened })).toEqual({
      ...{ version: 1, delivery: 'd1', createdAt: '2026-03-02T08:00:02.000Z', event: 'opened', sequence: 7 },
      at: '2026-03-02T08:00:01.000Z',
      alarm: {
        ...alarm,
        links: {
          alarm: 'https://tocsin.example.com/dashboard/alarms/a1',
          acknowledge: 'https://tocsin.example.com/dashboard/alarms/a1?acknowledge=again',
        },
      },
    });
  });

  test('lists the events of a digest, and nothing in a test', () => {
    const digest = compose('webhook', { kind: 'digest', events: [opened, acknowledged] });
    expect(digest).toMatchObject({ event: 'digest', events: [{ event: 'opened' }, { event: 'acknowledged' }] });
    expect(compose('webhook', { kind: 'test' })).toEqual({
      ...{ version: 1, delivery: 'd1', createdAt: '2026-03-02T08:00:02.000Z', event: 'test' },
    });
  });
});

describe('a Slack message', () => {
  test('escapes markup and has buttons to the alarm and its acknowledge dialog', () => {
    const { text, blocks } = compose('slack', { kind: 'event', ...opened });
    expect(text).toBe('Major alarm at Mill *1*: Level &lt;high&gt; &amp; rising');
    expect(blocks[0].text.text).toContain('Level &lt;high&gt; &amp; rising\nValue: 4.62 m');
    expect(blocks[1].elements.map((button: any) => button.text.text)).toEqual(['Acknowledge', 'Open alarm']);
  });

  test('says who acknowledged, without a button to acknowledge', () => {
    const { blocks } = compose('slack', { kind: 'event', ...acknowledged });
    expect(blocks[0].text.text).toContain('Vera acknowledged the alarm: Pump blocked.');
    expect(blocks[1].elements).toHaveLength(1);
  });

  test('lists at most ten events of a digest', () => {
    const events = Array.from({ length: 12 }, (_, index) => ({ ...opened, sequence: index }));
    const { text, blocks } = compose('slack', { kind: 'digest', events });
    expect(text).toBe('Alarm flood: 12 alarms opened');
    expect(blocks[0].text.text.split('\n')).toHaveLength(12);
    expect(blocks[0].text.text).toContain('and 2 more');
  });

  test('is at most 3,000 characters long', () => {
    const long = { ...opened, alarm: { ...alarm, message: 'x'.repeat(5000) } };
    expect(compose('slack', { kind: 'event', ...long }).blocks[0].text.text.length).toBeLessThanOrEqual(3000);
  });
});

test('a Teams card escapes Markdown and opens the alarm', () => {
  const [attachment] = compose('teams', { kind: 'event', ...opened }).attachments;
  expect(attachment.contentType).toBe('application/vnd.microsoft.card.adaptive');
  const { body, actions } = attachment.content;
  expect(body[0].text).toBe('Major alarm at Mill \\*1\\*');
  expect(body.at(-1).facts).toEqual([
    { title: 'Site', value: 'Mill \\*1\\*' },
    { title: 'Value', value: '4.62 m' },
  ]);
  expect(actions.map(({ type, title }: any) => [type, title])).toEqual([
    ['Action.OpenUrl', 'Acknowledge'],
    ['Action.OpenUrl', 'Open alarm'],
  ]);
});

test.each(['webhook', 'slack', 'teams'] as const)('composes the same %s for every attempt', (kind) => {
  for (const content of [{ kind: 'test' } as const, { kind: 'digest', events: [opened, acknowledged] } as const]) {
    expect(compose(kind, content as DeliveryContent)).toEqual(compose(kind, content as DeliveryContent));
  }
});

test('names a delivery by its event and its alarm', () => {
  const resolved: PostedEvent = { ...opened, event: 'resolved' };
  const undone: PostedEvent = { ...opened, event: 'acknowledgement-undone' };
  const open: PostedEvent = { ...opened, event: 'still-open' };
  expect([opened, acknowledged, undone, resolved, open].map((one) => contentTitle({ kind: 'event', ...one }))).toEqual([
    'Major alarm at Mill *1*: Level <high> & rising',
    'Acknowledged at Mill *1*: Level <high> & rising',
    'Acknowledgement undone at Mill *1*: Level <high> & rising',
    'Resolved at Mill *1*: Level <high> & rising',
    'Still open: major alarm at Mill *1*: Level <high> & rising',
  ]);
  expect(contentTitle({ kind: 'digest', events: [opened, resolved] })).toBe('Alarm flood: 1 alarm opened, 1 change');
  expect(contentTitle({ kind: 'test' })).toBe('Test message');
});
