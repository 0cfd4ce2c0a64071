import { describe, expect, test } from 'vitest';
import { decodeFrame } from './decode.ts';
import { type Decoded, type Frame, type FrameFormat, frameLimits } from './frame.ts';
import { decodeObject } from './json.ts';
import { decodeUtf8 } from './text.ts';

const T = Date.UTC(2025, 10, 15, 7);
const seconds = T / 1000;

/** Formats a frame as one line of text: values, refusals, network, confirmations. */
function line(decoded: Decoded): string {
  if (!decoded.ok) {
    return decoded.because;
  }
  const { values: samples, refused, gsm, confirmations } = decoded.frame;
  return [
    ...samples.map(
      ({ channel, value, time }) => `${channel}=${value}${time === undefined ? '' : `@${(time - T) / 1000}`}`,
    ),
    ...refused.map(({ channel, because }) => `!${channel} ${because}`),
    ...(gsm.provider === undefined ? [] : [`net ${gsm.provider}`]),
    ...(gsm.signal === undefined ? [] : [`${gsm.signal} dBm`]),
    ...confirmations.map(({ id, reply }) => `ack ${id} ${reply}`.trim()),
  ].join(', ');
}

function check(format: FrameFormat, cases: [string, string][]) {
  test.each(cases)('%s', (text, expected) => {
    expect(line(decodeFrame(text, format))).toBe(expected);
    expect(line(decodeFrame(new TextEncoder().encode(text), format))).toBe(expected);
  });
}

describe('JSON', () => {
  check('json', [
    [`{"t": ${seconds}, "1": 20.5, "temp": true, "door": false}`, '1=20.5@0, temp=1@0, door=0@0'],
    [`{"1": 20.5, "TS": ${T + 60_000}}`, '1=20.5@60'],
    [`{"Time": "2025-11-15T07:00:10Z", "values": {"1": 20.5, "t": 3}}`, '1=20.5@10, t=3@10'],
    [`[{"t": ${seconds}, "a": 1}, {"t": ${seconds + 5}, "a": 2}, {"a": 3}]`, 'a=1@0, a=2@5, a=3'],
    ['{"1": "20.5", "2": " -3e2 ", "3": null, "4": "", "5": "TRUE"}', '1=20.5, 2=-300, 5=1'],
    [
      '{"1": "NaN", "2": "Infinity", "3": "-inf", "4": 1e999, "5": 1}',
      '5=1, !1 not-finite, !2 not-finite, !3 not-finite, !4 not-finite',
    ],
    ['{"1": 1e300, "2": "-3.41e38", "3": -3.4e38}', '3=-3.4e+38, !1 out-of-range, !2 out-of-range'],
    [
      '{"1": "abc", "2": {"v": 1}, "3": [1], "4": "0x10", "5": "1 2", "6": 1}',
      '6=1, !1 not-a-number, !2 not-a-number, !3 not-a-number, !4 not-a-number, !5 not-a-number',
    ],
    ['{"t": "yesterday", "1": 5}', '1=5, !t bad-time'],
    [`[{"t": "yesterday", "1": 5}, {"t": ${seconds}, "1": 6}]`, '1=6@0, !t bad-time, !1 bad-time'],
    ['{"gsm": {"provider": "North Net", "signal": -77}, "1": 1}', '1=1, net North Net, -77 dBm'],
    ['{"gsm_provider": "x", "gsm_signal": "-77.4"}', 'net x, -77 dBm'],
    ['{"gsm_signal": 20}', '!gsm_signal bad-signal'],
    ['{"gsm_signal": -151, "1": 1}', '1=1, !gsm_signal bad-signal'],
    ['{"gsm": 4}', 'gsm=4'],
    ['{"values": 4}', 'values=4'],
    ['{"ack": 12, "reply": "done"}', 'ack 12 done'],
    ['{"ack": [{"id": 12, "reply": "done"}, {"id": "13"}, 14], "reply": "all"}', 'ack 12 done, ack 13 all, ack 14 all'],
    ['{"ack": 0}', '!ack bad-confirmation'],
    [
      '{"ack": [{"id": {"id": 1}}, {}, "x", 1.5, true]}',
      '!ack bad-confirmation, !ack bad-confirmation, !ack bad-confirmation, !ack bad-confirmation, !ack bad-confirmation',
    ],
    ['{"reply": "done", "1": 1}', '1=1, !reply bad-confirmation'],
    ['{"ack": 1, "reply": {"state": "on"}}', 'ack 1 {"state":"on"}'],
    [
      '{"__proto__": 1, "constructor": 2, "toString": "x", "hasOwnProperty": 4}',
      '__proto__=1, constructor=2, hasOwnProperty=4, !toString not-a-number',
    ],
    ['{"__proto__": {"polluted": 1}, "1": 1}', '1=1, !__proto__ not-a-number'],
    ['{"values": {"__proto__": 1}}', '__proto__=1'],
    ['{"": 1, "a": 2}', 'a=2, ! bad-name'],
    ['{"a\\u0000b": 1, "c\\ud800": 2, "d": 3}', 'd=3, !a\ufffdb bad-name, !c\ufffd bad-name'],
    ['{"1": -0}', '1=0'],
    ['[1, {"a": 2}, null]', 'a=2, ![0] not-a-number, ![2] not-a-number'],
    ['[1, 2]', 'not-json'],
    ['3', 'not-json'],
    ['"text"', 'not-json'],
    ['{"1": 20.5', 'not-json'],
    ['{"1": NaN}', 'not-json'],
    ['{}', 'no-values'],
    ['[]', 'no-values'],
    ['{"1": null}', 'no-values'],
    [`{"t": ${seconds}}`, 'no-values'],
  ]);

  test('refuses names that are too long and truncates a long reply', () => {
    const long = 'x'.repeat(5000);
    const text = JSON.stringify({ [long]: 1, ack: 3, reply: long, gsm_provider: long });
    const { values: samples, refused, gsm, confirmations } = taken(decodeFrame(text, 'json'));
    expect(samples).toEqual([]);
    expect(refused).toMatchObject([{ channel: 'x'.repeat(200), because: 'bad-name' }]);
    expect(gsm.provider).toHaveLength(frameLimits.provider);
    expect(confirmations[0]?.reply).toHaveLength(frameLimits.reply);
  });

  test('replaces NUL and lone surrogates in a reply', () => {
    const decoded = decodeFrame('{"ack": 1, "reply": "a\\u0000\\ud800", "gsm_provider": "\\u0000"}', 'json');
    expect(line(decoded)).toBe('net \ufffd, ack 1 a\ufffd\ufffd');
  });

  test('decodes a forwarded object without its uid key', () => {
    expect(line(decodeObject({ uid: '7', a: 1 }, 'uid'))).toBe('a=1');
    expect(line(decodeObject({ uid: 'x', a: 1 }))).toBe('a=1, !uid not-a-number');
    expect(line(decodeObject(undefined))).toBe('not-json');
  });

  test('never changes the prototype', () => {
    decodeFrame('{"__proto__": {"polluted": true}, "values": {"__proto__": {"polluted": true}}}', 'json');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('key=value', () => {
  check('key-value', [
    [`t=${seconds};1=20.5;gsm_signal=-77;ack=12;reply=done`, '1=20.5@0, -77 dBm, ack 12 done'],
    [`1=20.5&temp=true,b=-3 \tc=4&T=${seconds}`, '1=20.5@0, temp=1@0, b=-3@0, c=4@0'],
    ['t=2025-11-15T07:00:30Z;1=1', '1=1@30'],
    ['t="2025-11-15 07:00:30";1="2.5"', '1=2.5@30'],
    ['ack=3;reply="all is ""well""; now";a=1', 'a=1, ack 3 all is "well"; now'],
    [`t=${seconds};1=1\nt=${seconds + 60};1=2\r\n\r\n1=3\n`, '1=1@0, 1=2@60, 1=3'],
    ['t=never;1=1', '1=1, !t bad-time'],
    [`t=never;1=1\nt=${seconds};1=2`, '1=2@0, !t bad-time, !1 bad-time'],
    ['ack=1;reply=a\nack=2;reply=b', 'ack 1 a, ack 2 b'],
    ['1=;2=5', '2=5'],
    ['1=nan;2=1e999;3=abc;4=1', '4=1, !1 not-finite, !2 not-finite, !3 not-a-number'],
    ['1=1e300;2=3.4e38', '2=3.4e+38, !1 out-of-range'],
    ['lost;a=1', 'a=1, !lost not-a-number'],
    ['=5;a=1', 'a=1, ! bad-name'],
    ['a=1=2', '!a not-a-number'],
    ['__proto__=1;constructor=2', '__proto__=1, constructor=2'],
    ['t=2025-11-15T07%3A00%3A30%2B00%3A00&Pump%20A=2.5&gsm_provider=A%26B%20Net', 'Pump A=2.5@30, net A&B Net'],
    ['1=2&2=50%&3=%E0%A4', '1=2, !2 not-a-number, !3 not-a-number'],
    ['hello world', 'not-pairs'],
    ['a="1', 'not-pairs'],
    ['a="1\n"', 'not-pairs'],
    ['a=', 'no-values'],
  ]);
});

describe('CSV', () => {
  check('csv', [
    [`${seconds},20.5,,3`, '1=20.5@0, 3=3@0'],
    [`${seconds},1\r\n${seconds + 60},2\n`, '1=1@0, 1=2@60'],
    ['2025-11-15 07:00:30,1', '1=1@30'],
    [',20.5', '1=20.5'],
    [
      `${seconds},20.5,gsm_signal=-77,ack=4,"reply=well, done",GSM_Provider=x`,
      '1=20.5@0, net x, -77 dBm, ack 4 well, done',
    ],
    [`${seconds},a=1,2`, '2=2@0, !1 not-a-number'],
    [`t,temp,gsm_signal\n${seconds},20.5,-77\n${seconds + 1},21,`, 'temp=20.5@0, temp=21@1, -77 dBm'],
    [`Time, "a ""b""" ,c\n${seconds}, "1" ,2`, 'a "b"=1@0, c=2@0'],
    [`ts;a;b\n${seconds};1;2`, 'a=1@0, b=2@0'],
    [`${seconds}\t1\t2`, '1=1@0, 2=2@0'],
    [`t,a\n${seconds},1,9`, 'a=1@0, !column 3 bad-name'],
    [`t,a\nnever,1\n${seconds},2`, 'a=2@0, !t bad-time, !a bad-time'],
    ['never,1', '1=1, !time bad-time'],
    [`${seconds},NaN,x`, '!1 not-finite, !2 not-a-number'],
    [`${seconds},1e300,4`, '2=4@0, !1 out-of-range'],
    [`t,__proto__\n${seconds},1`, '__proto__=1@0'],
    ['hello, world', 'not-csv'],
    ['20,5', 'not-csv'],
    ['-4,62', 'not-csv'],
    // 20 is a time in seconds from a clock that was never set. 5.5 is the value, because it has a decimal point.
    ['20,5.5', '1=5.5@-1763189980'],
    ['hello', 'not-csv'],
    [`${seconds},"1`, 'not-csv'],
    [`${seconds},"1"2,3`, 'not-csv'],
    ['t,a,b', 'no-values'],
    [`${seconds},,`, 'no-values'],
    [`${seconds}\n`, 'no-values'],
    ['2025-11-15T07:00:30Z', 'no-values'],
    ['20.5', 'not-csv'],
  ]);
});

describe('detecting the format', () => {
  check('auto', [
    [' \n{"1": 1}', '1=1'],
    ['[{"1": 1}]', '1=1'],
    ['1=20.5', '1=20.5'],
    [`1=20.5,t=${seconds}`, '1=20.5@0'],
    [`${seconds},20.5`, '1=20.5@0'],
    [`${seconds},20.5,gsm_signal=-77`, '1=20.5@0, -77 dBm'],
    [`t,a,reply,ack\n${seconds},1,a=b,2`, 'a=1@0, ack 2 a=b'],
    ['lost;a=1', 'a=1, !lost not-a-number'],
    ['', 'no-values'],
    [' \r\n\t', 'no-values'],
    [`${seconds}`, 'no-values'],
    ['20.5', 'not-csv'],
    ['hello', 'not-csv'],
    ['{hello}', 'not-json'],
    ['a\0=1', 'not-text'],
  ]);

  test.each([
    ['half a letter', [0x61, 0xc3]],
    ['binary', [0xff, 0xfe, 0x00, 0x01]],
    ['NUL', [0x31, 0x3d, 0x31, 0x00]],
  ])('refuses %s as not text', (_, bytes) => {
    expect(decodeUtf8(new Uint8Array(bytes))).toBeUndefined();
    expect(line(decodeFrame(new Uint8Array(bytes), 'auto'))).toBe('not-text');
  });

  test('ignores a byte order mark', () => {
    expect(
      line(decodeFrame(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x22, 0x61, 0x22, 0x3a, 0x31, 0x7d]), 'json')),
    ).toBe('a=1');
  });
});

describe('limits', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const written: Record<string, (count: number) => string> = {
    json: (count) => JSON.stringify(Object.fromEntries(many(count).map((index) => [index, index]))),
    'json list': (count) => JSON.stringify(many(count).map((index) => ({ a: index }))),
    'json refused': (count) => JSON.stringify(Object.fromEntries(many(count).map((index) => [index, 'x']))),
    'json confirmations': (count) => JSON.stringify({ ack: many(count) }),
    'key-value': (count) =>
      many(count)
        .map((index) => `${index}=1`)
        .join(';'),
    'csv line': (count) => `${seconds},${many(count).join()}`,
    'csv lines': (count) =>
      many(count)
        .map((index) => `${seconds + index},1`)
        .join('\n'),
  };

  test.each(Object.keys(written))('%s: accepts 1000 values and refuses 1001', (kind) => {
    expect(taken(decodeFrame(written[kind]!(1000), 'auto'))).toBeDefined();
    expect(line(decodeFrame(written[kind]!(1001), 'auto'))).toBe('too-many-values');
    expect(line(decodeFrame(written[kind]!(8000), 'auto'))).toBe('too-many-values');
  });

  test.each([
    ['deep lists', '['.repeat(32_768) + ']'.repeat(32_768)],
    ['deep objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['a deep reply', `{"ack":1,"reply":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['commas', ','.repeat(frameLimits.bytes)],
    ['line ends', `${'\n'.repeat(frameLimits.bytes - 1)}a`],
    ['blanks', `${' '.repeat(frameLimits.bytes - 1)}=`],
    ['quotes', '"'.repeat(frameLimits.bytes)],
    ['digits', '1'.repeat(frameLimits.bytes)],
    ['one long name', `${'a'.repeat(frameLimits.bytes - 2)}=1`],
    ['line ends after a pair', `a=1${'\n'.repeat(frameLimits.bytes - 3)}`],
  ])('decodes 64 KiB of %s quickly in every format', (_, text) => {
    for (const format of ['auto', 'json', 'key-value', 'csv'] as const) {
      // Takes the fastest of three runs, because the machine may be busy. A quadratic decoder would take seconds.
      const took = [1, 2, 3].map(() => {
        const start = performance.now();
        decodeFrame(text, format);
        return performance.now() - start;
      });
      expect(Math.min(...took)).toBeLessThan(300);
    }
  });
});

function taken(decoded: Decoded): Frame {
  if (!decoded.ok) {
    throw new Error(decoded.sentence);
  }
  return decoded.frame;
}

test('refuses a number with a decimal comma instead of truncating it', () => {
  const decoded = decodeFrame('1=20,5;2=3,4=-7,25 5=1,6=2', 'auto');
  expect(decoded).toMatchObject({
    ok: true,
    frame: {
      values: [
        { channel: '2', value: 3 },
        { channel: '5', value: 1 },
        { channel: '6', value: 2 },
      ],
      refused: [
        { channel: '1', because: 'not-a-number', sentence: '"20,5" has a decimal comma: write 20.5.' },
        { channel: '4', because: 'not-a-number', sentence: '"-7,25" has a decimal comma: write -7.25.' },
      ],
    },
  });
});

test('names a value that is not a number, even an object or a list', () => {
  const { refused } = taken(decodeFrame('{"1": [1], "2": {"a": 1}, "3": "x"}', 'auto'));
  expect(refused.map(({ sentence }) => sentence)).toEqual([
    'The value of "1" is a list, not a number.',
    'The value of "2" is an object, not a number.',
    'The value "x" of "3" is not a number.',
  ]);
});

test('lists the formats if the text has none of them', () => {
  const sentence = 'The frame is neither JSON, nor pairs such as "1=20.5", nor CSV such as "1763190000,20.5".';
  expect(decodeFrame('hello world', 'auto')).toEqual({ ok: false, because: 'not-csv', sentence });
  for (const [text, format] of [
    ['hello world', 'csv'],
    ['hello, world', 'auto'],
  ] as const) {
    expect(decodeFrame(text, format)).not.toMatchObject({ sentence });
  }
});

test.each([
  ['JSON', '{"1": "20,5", "2": 3}'],
  ['CSV with semicolons', 'time;1;2\n2026-03-02T07:00:00Z;20,5;3'],
  ['pairs in quotation marks', '1="20,5";2=3'],
])('says how to replace a decimal comma in %s', (_, text) => {
  const { values: samples, refused } = taken(decodeFrame(text, 'auto'));
  expect(samples.map(({ channel, value }) => [channel, value])).toEqual([['2', 3]]);
  expect(refused).toEqual([
    { channel: '1', because: 'not-a-number', sentence: '"20,5" has a decimal comma: write 20.5.' },
  ]);
});
