import { describe, expect, test } from 'vitest';
import { frameLimits } from '../../domain/frame/frame.ts';
import { death, encode, type SentMetric } from '../../test/harness/device/sparkplug.ts';
import { publish } from '../../test/harness/server/mqtt-gateway.ts';
import { later, level, TIME, testSparkplugGateway } from '../../test/harness/server/sparkplug-gateway.ts';

const bench = testSparkplugGateway();
const { connect, counted, kept } = bench;

describe('an edge node may not', () => {
  test.each([
    'spBv1.0/Plant/NDATA/edge-2',
    'spBv1.0/Plant/DDATA/edge-2/pump-7',
    'spBv1.0/Plant/NCMD/edge-1',
    'spBv1.0/Plant/DCMD/edge-1/pump-7',
    'spBv1.0/STATE/edge-1',
    'spBv1.0/Plant/NDATA/edge-1/more',
    'spBv1.0/Other/NDATA/edge-1',
  ])('publish to %s', async (topic) => {
    bench.intake.add('edge-2');
    const node = await connect();
    await node.birth();
    expect(await publish(node.client, topic, encode({ seq: 1, metrics: [level] }))).toBe('ended');
    expect(bench.intake.frames.filter(({ text }) => !text.includes('NBIRTH') && !text.includes('NDEATH'))).toEqual([]);
    expect(await counted('foreign-topic')).toBe(1);
  });

  test.each([
    'spBv1.0/#',
    'spBv1.0/Plant/NCMD/+',
    'spBv1.0/Plant/NCMD/edge-2',
    'spBv1.0/Plant/DCMD/edge-2/#',
    'spBv1.0/Plant/NDATA/edge-1',
    'spBv1.0/+/NCMD/edge-1',
  ])('subscribe to %s', async (topic) => {
    const node = await connect();
    const answer = await node.client.subscribeAsync(topic, { qos: 1 }).catch((error: Error) => error.message);
    expect(answer).toMatch(/Unspecified error/);
  });

  test('publish retained messages', async () => {
    const node = await connect();
    const bytes = encode({ seq: 0, metrics: [level] });
    expect(await publish(node.client, node.topic('NBIRTH'), bytes, { retain: true })).toBe('ended');
    expect(await counted('retained')).toBe(1);
  });

  test.each(['spBv1.0/Plant/NDEATH/edge-2', 'spBv1.0/Plant/NDATA/edge-1', 'spBv1.0/Plant/DDEATH/edge-1/pump-7'])(
    'leave a will to %s',
    async (topic) => {
      const will = { topic, payload: death(0), qos: 1, retain: false } as const;
      const refused = await connect({ client: { will } }).then(
        () => undefined,
        (error: { code?: number }) => error.code,
      );
      expect(refused).toBe(5);
      expect(await counted('foreign-will')).toBe(1);
    },
  );

  test('publish for a sensor of another node, but stays connected', async () => {
    bench.intake.add('theirs');
    bench.intake.add('abroad', 'token', 'customer-2').gateway = 'edge-1';
    const node = await connect();
    await node.birth();
    for (const device of ['theirs', 'abroad', 'nobody']) await node.say('DBIRTH', device, [level]);
    expect(bench.intake.foreignUids).toEqual([
      ['theirs', 'edge-1:theirs'],
      ['abroad', 'edge-1:abroad'],
      ['nobody', 'edge-1:nobody'],
    ]);
    expect(await counted('foreign-uid')).toBe(3);
    await node.say('DBIRTH', 'pump-7', [level]);
    expect(kept().at(-1)).toMatchObject({ uid: 'pump-7' });
  });

  test('lose its connection because one of its devices is disabled', async () => {
    const off = bench.intake.add('off');
    off.gateway = 'edge-1';
    off.disabled = true;
    const node = await connect();
    await node.birth();
    await node.say('DBIRTH', 'off', [level]);
    await node.say('DBIRTH', 'pump-7', [level]);
    expect(await counted('disabled')).toBe(1);
    expect(kept().at(-1)).toMatchObject({ uid: 'pump-7' });
  });
});

describe('bad input', () => {
  test.each([
    ['garbage', Buffer.from([0xff, 0, 1]), 'not-sparkplug'],
    ['nothing', Buffer.alloc(0), 'not-sparkplug'],
    ['text', Buffer.from('1=20.5'), 'not-sparkplug'],
    [
      'a message that was cut off',
      encode({ timestamp: TIME, seq: 1, metrics: [level] }).subarray(0, 20),
      'not-sparkplug',
    ],
    ['more than a frame may have', Buffer.alloc(frameLimits.bytes + 1, 1), 'too-large'],
    ['a flood of empty metrics', Buffer.alloc(40_000, Buffer.from([0x12, 0])), 'too-many-values'],
  ])('of %s is acknowledged, and the next message is understood', async (_name, bytes, outcome) => {
    const node = await connect();
    await node.birth([level]);
    expect(await publish(node.client, node.topic('NDATA'), bytes)).toBe('acknowledged');
    expect(await counted(outcome)).toBe(1);
    node.seq = 2;
    await node.say('NDATA', undefined, [later]);
    expect(kept().at(-1).metrics).toMatchObject([{ name: 'Level', value: 21 }]);
    expect(bench.intake.frames.at(-1)?.notes).toEqual([]);
    if (outcome !== 'too-large') expect(kept()[1].payload).toBe(bytes.toString('base64'));
  });

  test('accepts a message of the maximum size', async () => {
    const node = await connect();
    const padding = (length: number): SentMetric => ({ name: 'note', type: 'String', value: 'x'.repeat(length) });
    const rest = encode({ seq: 0, metrics: [padding(60_000)] }).length - 60_000;
    const bytes = encode({ seq: 0, metrics: [padding(frameLimits.bytes - rest)] });
    expect(bytes.length).toBe(frameLimits.bytes);
    expect(await publish(node.client, node.topic('NBIRTH'), bytes)).toBe('acknowledged');
    expect(kept()[0].payload).toBe(bytes.toString('base64'));
  });

  test.each([
    ['of more metrics than a frame may have', 'm', 2],
    ['of more bytes than a frame may have', 'a name that is very long, as those of controllers are, '.repeat(3), 4],
  ])('stores a birth %s in parts, and knows its aliases afterwards', async (_name, prefix, parts) => {
    const node = await connect();
    const many = Array.from({ length: frameLimits.values }, (_, index): SentMetric => {
      return { name: `${prefix}${index}`, type: 'Boolean', value: true };
    });
    await node.birth([...many, level]);
    const frames = kept();
    expect(frames).toHaveLength(parts);
    expect(frames.flatMap(({ metrics }) => metrics).map(({ name }) => name)).toEqual([
      ...['bdSeq', 'Node Control/Rebirth', ...many.map(({ name }) => name)],
      'Level',
    ]);
    const [first] = bench.intake.frames;
    expect(first?.notes).toEqual([`Part 1 of ${parts} of a birth message with ${frameLimits.values + 3} metrics.`]);
    expect(Math.max(...bench.intake.frames.map(({ text }) => text.length))).toBeLessThan(1.1 * frameLimits.bytes);
    await node.say('NDATA', undefined, [later]);
    expect(kept().at(-1).metrics).toMatchObject([{ name: 'Level', value: 21 }]);
    expect(node.heard).toEqual([]);
  });

  test('refuses data above the size limit of a frame', async () => {
    const node = await connect();
    await node.birth([level]);
    const bytes = encode({ seq: 1, metrics: [{ name: 'note', type: 'String', value: 'x'.repeat(frameLimits.bytes) }] });
    expect(await publish(node.client, node.topic('NDATA'), bytes)).toBe('acknowledged');
    expect(await counted('too-large')).toBe(1);
    expect(kept()).toHaveLength(1);
  });

  test.each(['flood', 'busy', 'unavailable'] as const)('refused as %s ends the connection', async (name) => {
    const node = await connect();
    await node.birth();
    bench.intake.refuse(name);
    expect(await publish(node.client, node.topic('NDATA'), encode({ seq: 1, metrics: [later] }))).toBe('ended');
  });
});
