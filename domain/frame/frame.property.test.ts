import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reservedKey } from './collect.ts';
import { decodeFrame } from './decode.ts';
import { type Frame, frameFormats, frameLimits } from './frame.ts';
import { decodeObject } from './json.ts';
import { isStorable } from './text.ts';

/** Returns every string of a decoded frame that is stored in the database. */
function textsOf({ values: samples, refused, gsm, confirmations }: Frame): string[] {
  return [
    ...samples.map(({ channel }) => channel),
    ...refused.flatMap(({ channel, sentence }) => [channel, sentence]),
    ...confirmations.map(({ reply }) => reply),
    gsm.provider ?? '',
  ];
}

function expectSound(decoded: ReturnType<typeof decodeFrame>) {
  if (!decoded.ok) {
    expect(decoded.sentence).not.toBe('');
    return;
  }
  const { values: samples, refused, confirmations } = decoded.frame;
  expect(samples.length + refused.length + confirmations.length).toBeLessThanOrEqual(frameLimits.values);
  expect(
    samples.every(
      ({ value, time }) => Math.abs(value) <= frameLimits.value && (time === undefined || Number.isInteger(time)),
    ),
  ).toBe(true);
  expect(confirmations.every(({ id }) => Number.isSafeInteger(id))).toBe(true);
  expect(textsOf(decoded.frame).filter((text) => !isStorable(text))).toEqual([]);
}

describe('any input', () => {
  const format = fc.constantFrom(...frameFormats);
  /** Generates text that resembles a frame, which finds more errors than random text. */
  const nearly = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '=',
          ';',
          ',',
          '\n',
          '\r',
          '"',
          '{',
          '}',
          '[',
          ']',
          ':',
          ' ',
          '\t',
          't',
          'ack',
          'reply',
          '"t"',
          '"values"',
          '1',
          '20.5',
          '1763190000',
          'NaN',
          '1e999',
          'gsm_signal',
          '-77',
          '\\u0000',
          '\\ud800',
          '\ud800',
          '__proto__',
        ),
        fc.string({ maxLength: 4 }),
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(''));

  test('never throws for bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), format, (bytes, as) => expectSound(decodeFrame(bytes, as))),
      { numRuns: 1000 },
    );
  });

  test('never throws for text', () => {
    fc.assert(
      fc.property(nearly, format, (text, as) => expectSound(decodeFrame(text, as))),
      { numRuns: 3000 },
    );
  });

  test('never throws for JSON of any shape', () => {
    const key = fc.oneof(
      fc.constantFrom('t', 'values', 'gsm', 'ack', 'reply', 'gsm_signal', '__proto__', '1'),
      fc.string(),
    );
    const shape = fc.object({
      key,
      maxDepth: 4,
      values: [fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.constant(null)],
    });
    fc.assert(
      fc.property(fc.oneof(shape, fc.array(shape), fc.jsonValue()), (value) => {
        expectSound(decodeObject(value, 'uid'));
        expectSound(decodeFrame(JSON.stringify(value), 'auto'));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the same frame in every format', () => {
  const name = fc
    .stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,12}$/)
    .filter((text) => reservedKey(text) === undefined && !['values', 'gsm'].includes(text.toLowerCase()));
  const value = fc.double({ noNaN: true, min: -frameLimits.value, max: frameLimits.value }).map((number) => number + 0);
  const time = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2090, 0, 1) });
  const text = fc.stringMatching(/^[A-Za-z0-9"][A-Za-z0-9 ,;&="]{0,20}[A-Za-z0-9"]$/);
  const row = fc.record({ time, values: fc.array(value, { minLength: 2, maxLength: 2 }) });
  const said = fc.record({
    names: fc.uniqueArray(name, { minLength: 2, maxLength: 2 }),
    rows: fc.array(row, { minLength: 1, maxLength: 5 }),
    signal: fc.option(fc.integer({ min: -150, max: 0 }), { nil: undefined }),
    provider: fc.option(text, { nil: undefined }),
    confirmation: fc.option(fc.record({ id: fc.integer({ min: 1 }), reply: text }), { nil: undefined }),
  });
  type Said = typeof said extends fc.Arbitrary<infer T> ? T : never;

  function frameOf({ names, rows, signal, provider, confirmation }: Said): Frame {
    return {
      values: rows.flatMap((row) =>
        names.map((channel, index) => ({ channel, value: row.values[index]!, time: row.time })),
      ),
      refused: [],
      gsm: { ...(provider === undefined ? {} : { provider }), ...(signal === undefined ? {} : { signal }) },
      confirmations: confirmation === undefined ? [] : [confirmation],
    };
  }

  /** Returns the reserved keys of the first row with their values; empty for other rows. */
  const once = ({ signal, provider, confirmation }: Said, index: number): [string, string | number][] =>
    index > 0
      ? []
      : ([
          ['gsm_signal', signal],
          ['gsm_provider', provider],
          ['ack', confirmation?.id],
          ['reply', confirmation?.reply],
        ].filter(([, given]) => given !== undefined) as [string, string | number][]);
  const quote = (cell: string | number) => `"${String(cell).replaceAll('"', '""')}"`;

  const writers: Record<string, (said: Said) => string> = {
    json: (said) =>
      JSON.stringify(
        said.rows.map((row, index) =>
          Object.fromEntries([
            ['t', row.time],
            ...said.names.map((channel, at) => [channel, row.values[at]!]),
            ...once(said, index),
          ]),
        ),
      ),
    'key-value': (said) =>
      said.rows
        .map((row, index) =>
          [
            `time=${new Date(row.time).toISOString()}`,
            ...said.names.map((channel, at) => `${channel}=${row.values[at]}`),
            ...once(said, index).map(([key, given]) => `${key}=${quote(given)}`),
          ].join(';'),
        )
        .join('\n'),
    csv: (said) => {
      const extra = once(said, 0);
      return [
        ['ts', ...said.names, ...extra.map(([key]) => key)].join(),
        ...said.rows.map((row, index) =>
          [row.time, ...row.values, ...extra.map(([, given]) => (index > 0 ? '' : quote(given)))].join(),
        ),
      ].join('\r\n');
    },
  };

  test.each(Object.keys(writers))('decodes %s to the values that were encoded', (format) => {
    fc.assert(
      fc.property(said, (meant) => {
        const written = writers[format]!(meant);
        expect(decodeFrame(written, format as 'json')).toEqual({ ok: true, frame: frameOf(meant) });
        expect(decodeFrame(written, 'auto')).toEqual({ ok: true, frame: frameOf(meant) });
      }),
      { numRuns: 300 },
    );
  });
});
