import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeFrame } from '../../domain/frame/decode.ts';
import { frameLimits } from '../../domain/frame/frame.ts';
import { parseTopic } from '../../domain/sparkplug/topic.ts';
import { type datatypes, encode, type SentMetric } from '../../test/harness/device/sparkplug.ts';
import { systemClock } from '../platform/clock.ts';
import { SparkplugNode } from './sparkplug.ts';
import { readPayload, writePayload } from './sparkplug-codec.ts';

const TOPIC = 'spBv1.0/Plant/NBIRTH/edge-1';

/** Converts a message to the text that the server stores, and decodes that text again. */
function decodeBytes(bytes: Uint8Array, topic = TOPIC) {
  const node = new SparkplugNode(systemClock);
  const about = parseTopic(topic) as NonNullable<ReturnType<typeof parseTopic>>;
  const { deliveries } = node.prepare(topic, about, bytes, { again: false, mayAsk: false });
  const text = Buffer.from(deliveries[0]?.body ?? []).toString('utf8');
  return { text, decoded: decodeFrame(text, deliveries[0]?.format ?? 'auto') };
}

function valuesOf(bytes: Uint8Array): Record<string, number> {
  const { decoded } = decodeBytes(bytes);
  if (!decoded.ok) throw new Error(decoded.sentence);
  return Object.fromEntries(decoded.frame.values.map(({ channel, value }) => [channel, value]));
}

describe('payloads of other implementations', () => {
  // Sample payload and its content from the EMQX documentation of its Sparkplug B functions.
  const published =
    'CPHh67HrMBIqChxjb3VudGVyX2dyb3VwMS9jb3VudGVyMV8xc2VjGPXh67HrMCACUKgDEikKHGNvdW50ZXJfZ3JvdXAxL2NvdW50ZXIxXzVzZWMY' +
    '9eHrseswIAJQVBIqCh1jb3VudGVyX2dyb3VwMS9jb3VudGVyMV8xMHNlYxj14eux6zAgAlAqEigKG2NvdW50ZXJfZ3JvdXAxL2NvdW50ZXIxX3J1' +
    'bhj14eux6zAgBVABEioKHWNvdW50ZXJfZ3JvdXAxL2NvdW50ZXIxX3Jlc2V0GPXh67HrMCAFUAAYWA==';

  test('decodes a published example', () => {
    const bytes = Buffer.from(published, 'base64');
    expect(readPayload(bytes)).toMatchObject({ timestamp: 1678094561521, seq: 88 });
    const { text, decoded } = decodeBytes(bytes);
    const time = 1678094561525;
    expect(decoded).toMatchObject({
      frame: {
        values: [
          { channel: 'counter_group1/counter1_1sec', value: 424, time },
          { channel: 'counter_group1/counter1_5sec', value: 84, time },
          { channel: 'counter_group1/counter1_10sec', value: 42, time },
          { channel: 'counter_group1/counter1_run', value: 1, time },
          { channel: 'counter_group1/counter1_reset', value: 0, time },
        ],
        refused: [],
      },
    });
    expect(JSON.parse(text).payload).toBe(published);
  });

  // Payload with one metric of every type, written by sparkplug-payload 1.0.3 of Eclipse Tahu.
  const everyType =
    'CIDI8b7LMxITCgJpOBiAyPG+yzMgAVD7////DxIUCgNpMTYYgMjxvsszIAJQ1P3//w8SFAoDaTMyGIDI8b7LMyADUJDd+/8PEhkKA2k2NBiAyPG+' +
    'yzMgBFiAnOiv7f////8BEhAKAnU4GIDI8b7LMyAFUPoBEhIKA3UxNhiAyPG+yzMgBlDo+wMSFAoDdTMyGIDI8b7LMyAHWIDQrPMOEhQKA3U2NBiA' +
    'yPG+yzMgCFiA5JfQEhIRCgFmGIDI8b7LMyAJZc3MoEESFQoBZBiByPG+yzMgCmmamZmZmZm5vxIPCgJvbhiAyPG+yzMgC3ABEhQKA3R4dBiAyPG+' +
    'yzMgDHoEMTIuNRIWCgR3aGVuGIDI8b7LMyANWIDI8b7LMxIRCgRnb25lGIDI8b7LMyAKOAESEgoDb2xkGIDrlb3LMyADKAFQBBIeCgNzZXQYgMjx' +
    'vsszIBCKAQ0IARIBYRgDIgQKAggBEhMKA3JhdxiAyPG+yzMgEYIBAgECGAM=';

  test('decodes every type of the reference library', () => {
    const bytes = Buffer.from(everyType, 'base64');
    expect(valuesOf(bytes)).toEqual({
      i8: -5,
      i16: -300,
      i32: -70_000,
      i64: -5_000_000_000,
      u8: 250,
      u16: 65_000,
      u32: 4_000_000_000,
      u64: 5_000_000_000,
      f: 20.1,
      d: -0.1,
      on: 1,
      txt: 12.5,
      when: 1772611200000,
      old: 4,
    });
    const { decoded } = decodeBytes(bytes);
    const frame = decoded.ok ? decoded.frame : undefined;
    expect(frame?.values.find(({ channel }) => channel === 'd')?.time).toBe(1772611200001);
    expect(frame?.values.find(({ channel }) => channel === 'old')?.time).toBe(1772607600000);
    expect(frame?.refused.map(({ channel, because }) => [channel, because])).toEqual([
      ['set', 'not-a-number'],
      ['raw', 'not-a-number'],
    ]);
  });
});

const integers: Record<string, [bigint, bigint]> = {
  Int8: [-128n, 127n],
  Int16: [-32_768n, 32_767n],
  Int32: [-(2n ** 31n), 2n ** 31n - 1n],
  Int64: [-(2n ** 53n), 2n ** 53n],
  UInt8: [0n, 255n],
  UInt16: [0n, 65_535n],
  UInt32: [0n, 2n ** 32n - 1n],
  UInt64: [0n, 2n ** 53n],
};

const valueOfType = fc.oneof(
  fc.constantFrom(...(Object.keys(integers) as (keyof typeof datatypes)[])).chain((type) => {
    const [min, max] = integers[type] as [bigint, bigint];
    return fc.bigInt({ min, max }).map((value) => ({ type, value }));
  }),
  fc.record({
    type: fc.constant('Double' as const),
    value: fc.double({ noNaN: true, min: -frameLimits.value, max: frameLimits.value }),
  }),
  fc.record({ type: fc.constant('Boolean' as const), value: fc.boolean() }),
);
const sent: fc.Arbitrary<SentMetric> = fc
  .record({ name: fc.stringMatching(/^[a-z][a-z/ ]{2,30}$/), timestamp: fc.integer({ min: 1e12, max: 2e12 }) })
  .filter(({ name }) => name !== 'time' && name !== 'ack' && name !== 'reply')
  .chain((named) => valueOfType.map((value) => ({ ...named, ...value })));

describe('round trips', () => {
  test('decodes encoded metrics by name and by alias', () => {
    fc.assert(
      fc.property(fc.uniqueArray(sent, { selector: ({ name }) => name, minLength: 1, maxLength: 20 }), (metrics) => {
        const node = new SparkplugNode(systemClock);
        const say = (type: string, all: SentMetric[], seq: number) => {
          const topic = `spBv1.0/Plant/${type}/edge-1`;
          const about = parseTopic(topic) as NonNullable<ReturnType<typeof parseTopic>>;
          const bytes = encode({ timestamp: 1, seq, metrics: all });
          const { deliveries } = node.prepare(topic, about, bytes, { again: false, mayAsk: false });
          expect(deliveries.map(({ notes }) => notes)).toEqual([[]]);
          return decodeFrame(deliveries[0]?.body ?? '', 'json');
        };
        const birth = metrics.map((metric, alias) => ({ ...metric, alias }));
        const values = metrics.map(({ name, timestamp, value }) => ({
          channel: name,
          time: timestamp,
          value: Number(value) + 0,
        }));
        expect(say('NBIRTH', birth, 0)).toMatchObject({ ok: true, frame: { values, refused: [] } });
        const short = birth.map(({ name: _name, ...rest }) => ({ ...rest, untyped: true }));
        expect(say('NDATA', short, 1)).toMatchObject({ ok: true, frame: { values, refused: [] } });
      }),
    );
  });

  test('writes a 32-bit float with the fewest exact digits', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const read = valuesOf(encode({ seq: 0, metrics: [{ name: 'f', type: 'Float', value }] }));
        expect(Math.fround(read.f as number)).toBe(value + 0);
      }),
    );
  });

  test('never throws for any bytes and keeps them unchanged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const { text } = decodeBytes(bytes);
        expect(Buffer.from(JSON.parse(text).payload, 'base64')).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test('reads no extra values from a truncated message', () => {
    const whole = encode({ timestamp: 5, seq: 1, metrics: [{ name: 'Level', type: 'Double', value: 20.5 }] });
    for (let length = 0; length < whole.length; length += 1) {
      const { decoded } = decodeBytes(whole.subarray(0, length), 'spBv1.0/Plant/NDATA/edge-1');
      const taken = decoded.ok ? decoded.frame.values.map(({ channel, value }) => [channel, value]) : [];
      expect([[], [['Level', 20.5]]]).toContainEqual(taken);
    }
  });
});

describe('unusable content', () => {
  const because = (bytes: Uint8Array, topic?: string) => {
    const { decoded } = decodeBytes(bytes, topic);
    return decoded.ok ? decoded.frame.refused.map(({ because: why }) => why) : decoded.because;
  };

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('1=20.5;2=7')],
    ['JSON', Buffer.from('{"timestamp":1,"metrics":[]}')],
    ['unknown fields alone', Buffer.from([0x48, 0x01])],
    // Payload created with sparkplug-payload, with the compression mark of sparkplug-client.
    [
      'compressed metrics',
      Buffer.from('CIDI8b7LMxgAIhJTUEJWMS4wX0NPTVBSRVNTRUQqInic42g48XHfaWMhIS5Wn9Sy1BwFrkwGMPhgL8EAAJV3CAM=', 'base64'),
    ],
  ])('of %s is rejected as not a payload', (_name, bytes) => {
    expect(because(bytes)).toBe('not-sparkplug');
  });

  test('is refused above the metric limit of a frame', () => {
    const metrics = Array.from({ length: frameLimits.values + 1 }, (_, index): SentMetric => {
      return { name: `m${index}`, type: 'Boolean', value: true };
    });
    const data = 'spBv1.0/Plant/NDATA/edge-1';
    expect(because(encode({ seq: 0, metrics }), data)).toBe('too-many-values');
    expect(decodeBytes(encode({ seq: 0, metrics: metrics.slice(1) })).decoded).toMatchObject({ ok: true });
  });

  test.each([
    ['no finite number', { name: 'x', type: 'Double', value: Number.NaN }, 'not-finite'],
    ['far too large', { name: 'x', type: 'Double', value: 1e300 }, 'out-of-range'],
    ['endless', { name: 'x', type: 'Float', value: Number.POSITIVE_INFINITY }, 'not-finite'],
    ['a word', { name: 'x', type: 'String', value: 'running' }, 'not-a-number'],
    ['a table', { name: 'x', type: 'DataSet', value: 'a' }, 'not-a-number'],
    ['an alias that nobody named', { alias: 9, type: 'Double', value: 1 }, 'unknown-alias'],
    ['neither name nor alias', { type: 'Double', value: 1 }, 'unknown-alias'],
    ['an integer without a type', { name: 'x', type: 'Int32', value: 5, untyped: true }, 'not-a-number'],
    ['a name that is too long', { name: 'x'.repeat(201), type: 'Double', value: 1 }, 'bad-name'],
    ['a name with NUL', { name: 'x\0', type: 'Double', value: 1 }, 'bad-name'],
  ] as [string, SentMetric, string][])('is %s', (_name, metric, expected) => {
    const ok: SentMetric = { name: 'Level', type: 'Double', value: 20.5 };
    expect(because(encode({ seq: 1, metrics: [metric, ok] }))).toEqual([expected]);
    expect(valuesOf(encode({ seq: 1, metrics: [metric, ok] }))).toEqual({ Level: 20.5 });
  });

  test('skips null values', () => {
    const nothing: SentMetric = { name: 'Level', type: 'Double', value: null };
    expect(because(encode({ seq: 1, metrics: [nothing] }), 'spBv1.0/Plant/NDATA/edge-1')).toBe('no-values');
    expect(because(encode({ seq: 1, metrics: [nothing] }))).toEqual([]);
  });

  test('ignores the metrics that describe the node itself', () => {
    const metrics: SentMetric[] = [
      { name: 'bdSeq', type: 'UInt64', value: 3 },
      { name: 'Node Control/Rebirth', type: 'Boolean', value: false },
    ];
    expect(decodeBytes(encode({ seq: 0, metrics })).decoded).toEqual({
      ok: true,
      frame: { values: [], refused: [], gsm: {}, confirmations: [] },
    });
  });
});

test('reads confirmations and network data under their reserved names, and T as a channel', () => {
  const metrics: SentMetric[] = [
    { name: 'ack', type: 'Int64', value: 12 },
    { name: 'reply', type: 'String', value: 'done' },
    { name: 'gsm_signal', type: 'Int32', value: -77 },
    { name: 'T', type: 'Double', value: 21 },
  ];
  expect(decodeBytes(encode({ timestamp: 1772611200000, seq: 1, metrics })).decoded).toEqual({
    ok: true,
    frame: {
      values: [{ channel: 'T', value: 21, time: 1772611200000 }],
      refused: [],
      gsm: { signal: -77 },
      confirmations: [{ id: 12, reply: 'done' }],
    },
  });
});

test('decodes messages written for edge nodes', () => {
  const bytes = writePayload(1772611200000, [
    { name: 'Node Control/Rebirth', truth: true },
    { name: 'Tocsin/Command', text: 'REBOOT' },
    { name: 'Tocsin/Command Id', whole: 12 },
  ]);
  expect(readPayload(bytes)).toMatchObject({
    timestamp: 1772611200000,
    seq: undefined,
    metrics: [
      { name: 'Node Control/Rebirth', datatype: 11, value: { truth: true } },
      { name: 'Tocsin/Command', datatype: 12, value: { text: 'REBOOT' } },
      { name: 'Tocsin/Command Id', datatype: 4, value: { bits: 12n } },
    ],
  });
});
