import { describe, expect, test } from 'vitest';
import { notBehindGateway, notRegistered } from '../../../domain/frame/gateway-call.ts';
import { problemText } from '../../../domain/frame/problem.ts';
import { clockNotes } from '../../../domain/frame/when.ts';
import { frameLine, protocolName, readFrame } from './decoded-frame.ts';
import { isUseless, readingLine } from './gateway-call.ts';
import { problemText as rejectionText } from './rejected-device.ts';

const text = (rawData: string) => ({ rawData, encoding: 'text' });
const level = { channelNumber: 1, name: 'Level', channelFactor: 0.1, channelOffset: 0, channelDecimals: 1 };

test('decodes a frame as the pipeline does', () => {
  const reading = readFrame(text('1=-20.5;level=7;x=y;gsm_signal=-77;ack=12'), 'auto');
  expect(reading.samples.map(({ channel, sent }) => [channel, sent])).toEqual([
    ['1', -20.5],
    ['level', 7],
  ]);
  expect(reading.refused).toHaveLength(1);
  expect(readingLine(reading, null)).toBe('1 = −20.5, level = 7, x (refused: not a number), −77 dBm, ack 12');
});

test("names the stored value and missing channels, given the sensor's channels", () => {
  const reading = readFrame(text('{"LEVEL": 205, "9": 1}'), 'json', [level]);
  expect(reading.samples).toEqual([{ channel: 'LEVEL', name: 'Level', sent: 205, stored: 20.5, time: undefined }]);
  expect(reading.refused).toEqual([
    { channel: '9', because: 'unknown-channel', sentence: 'The sensor has no channel "9".' },
  ]);
});

describe('checks times as the gateway does, given the arrival time', () => {
  const at = Date.UTC(2026, 2, 2, 8);
  const arrival = { at, oldest: at - 400 * 86_400_000 };
  const read = (time: string) => readFrame(text(`{"t": "${time}", "1": 205}`), 'json', [level], arrival);

  test.each([
    ['a few minutes ahead', '2026-03-02T08:04:00Z', Date.UTC(2026, 2, 2, 8, 4), []],
    ['further ahead', '2026-03-02T08:06:00Z', undefined, [clockNotes.ahead]],
    ['a clock that was never set', '1970-01-01T00:01:00Z', undefined, [clockNotes['clock-unset']]],
  ] as const)('%s', (_, said, time, notes) => {
    expect(read(said)).toMatchObject({ samples: [{ stored: 20.5, time }], refused: [], notes });
  });

  test('refuses a time before the retention', () => {
    const sentence = 'The time is older than the stored history.';
    expect(read('2025-01-01T00:00:00Z')).toMatchObject({
      samples: [],
      refused: [{ channel: '1', because: 'too-old', sentence }],
      notes: [],
    });
  });
});

test('says why a frame cannot be decoded', () => {
  expect(readFrame(text('{"1": '), 'json').problem).toMatch(/JSON/);
  expect(readFrame(text(''), 'auto').problem).toBe('The frame has no values.');
  expect(readFrame({ rawData: '//79', encoding: 'base64' }, 'auto').problem).toBe(
    'The frame is not valid UTF-8 text, or it contains a NUL character.',
  );
  expect(readFrame({ rawData: '%', encoding: 'base64' }, 'auto').problem).toBe('The data is not valid base64.');
});

test('truncates a long frame in its line', () => {
  const many = Array.from({ length: 12 }, (_, index) => `${index + 1}=1`).join(';');
  expect(readingLine(readFrame(text(many), 'auto'), null)).toMatch(/8 = 1, and 4 more$/);
});

test('treats an unknown format as auto-detect', () => {
  expect(readFrame(text('{"1": 2}'), 'morse').samples).toHaveLength(1);
});

test("decodes Sparkplug whatever the sensor's format is", () => {
  const metrics = [
    { name: 'Level', alias: 1, type: 'Double', timestamp: 1772611200000, value: 20.5 },
    { alias: 9, value: 1 },
  ];
  const rawData = JSON.stringify({ topic: 'spBv1.0/Plant/DDATA/edge-1/pump-7', seq: 3, metrics, payload: 'EgsQAQ==' });
  const level = { channelNumber: 1, name: 'Level', channelFactor: 2, channelOffset: 0, channelDecimals: null };
  const reading = readFrame({ rawData, encoding: 'text' }, 'csv', [level]);
  expect(reading).toMatchObject({
    problem: null,
    samples: [{ channel: 'Level', sent: 20.5, stored: 41, time: 1772611200000 }],
    refused: [{ channel: 'alias 9' }],
  });
  expect(readingLine(reading, null)).toBe('Level = 20.5, alias 9 (refused: unknown alias)');
  const said = (reply: string) => {
    const replied = [
      { name: 'ack', type: 'Int64', value: 12 },
      { name: 'reply', type: 'String', value: reply },
    ];
    const raw = JSON.stringify({ topic: 'spBv1.0/Plant/DDATA/edge-1/pump-7', seq: 4, metrics: replied });
    return readingLine(readFrame({ rawData: raw, encoding: 'text' }, 'csv', [level]), null);
  };
  expect(said('valve open')).toBe('ack 12: valve open');
  expect(said('x'.repeat(81))).toBe(`ack 12: ${'x'.repeat(80)}…`);
  expect(protocolName({ protocol: 'mqtt', rawData })).toBe('Sparkplug');
  expect(protocolName({ protocol: 'http', rawData })).toBe('HTTP');
  expect(protocolName({ protocol: 'mqtt', rawData: '1=2' })).toBe('MQTT');
});

describe('the result of each value', () => {
  const line = (raw: string, problem: string | null) => readingLine(readFrame(text(raw), 'auto'), problem);
  const missing = (...channels: (string | number)[]) =>
    problemText(channels.map((channel) => `The sensor has no channel "${channel}".`));

  test('marks the values that the server recorded as refused', () => {
    expect(line('1=20.5;9=1', missing(9))).toBe('1 = 20.5, 9 = 1 (refused: no such channel)');
    const old = '1: The time is older than the stored history.';
    expect(line('1=20.5;2=1', old)).toBe('1 = 20.5 (refused: too old), 2 = 1');
    const { refused } = readFrame(text('1=20.5;2=x'), 'auto');
    const unreadable = `2: ${refused[0]?.sentence}`;
    expect(line('1=20.5;2=x', unreadable)).toBe('1 = 20.5, 2 (refused: not a number)');
  });

  test('repeats the reason for a value that is not a number, before or after scaling', () => {
    const raw = '1=1e38;2=nan;3=1e300';
    const [sentence, huge] = readFrame(text(raw), 'auto').refused.map((one) => one.sentence);
    expect(sentence).toMatch(/is not a finite number\.$/);
    expect(huge).toBe('The value "1e300" of "3" is out of range: it must be between -3.4e38 and 3.4e38.');
    const scaled = '1: The scaled value is out of range.';
    expect(line(raw, `${scaled} 2: ${sentence} 3: ${huge}`)).toBe(
      '1 = 1e+38 (refused: out of range), 2 (refused: not a finite number), 3 (refused: out of range)',
    );
  });

  test('is refused for all values of a refused frame', () => {
    const off = 'The sensor pump-1 is disabled. Enable it in the console first.';
    expect(line('1=20.5;2=x', off)).toBe('1 = 20.5 (refused: not stored), 2 (refused: not a number)');
  });

  test('says when nothing was stored', () => {
    const useless = (raw: string, problem: string | null) => frameLine(readFrame(text(raw), 'auto'), problem).useless;
    expect(useless('1=20.5;2=1', missing('1', '2'))).toBe(true);
    expect(useless('1=20.5;2=1', missing('2'))).toBe(false);
    expect(useless('1=20.5', null)).toBe(false);
    expect(useless('1=20.5;gsm_signal=-77', missing('1')), 'its signal was taken').toBe(false);
  });

  test('lists the first refused values if there are too many to list all', () => {
    const keys = Array.from({ length: 12 }, (_, index) => `k${index + 1}`);
    const raw = keys.map((key) => `${key}=1`).join(';');
    expect(line(raw, missing(...keys))).toMatch(/k6 = 1 \(refused: not stored\).*, and 4 more, refused$/);
    // The log does not record which of the further values were stored, so the text only counts them.
    expect(line(raw, missing(...keys.slice(3, 10)))).toBe(
      `${['k4', 'k5', 'k6', 'k7', 'k8'].map((key) => `${key} = 1 (refused: no such channel)`).join(', ')}, and 7 more, 2 of them refused`,
    );
  });
});

describe("the result of each frame in a gateway's call", () => {
  const pumps = [
    { uid: 'pump-7', '1': 20.5, x: 'y' },
    { uid: 'pump-8', '1': 19, '9': 2 },
    { uid: 'pump-9', '1': 3 },
    { uid: 'pump-7', '1': 2 },
  ];
  const reading = (frames: object[]) => readFrame(text(JSON.stringify({ frames })), 'auto');
  const line = (frames: object[], problem: string | null) => readingLine(reading(frames), problem);
  const behind = notBehindGateway('pump-9', 'gate-1');

  test('uses the problems that the server recorded for each sensor', () => {
    const [unread] = reading(pumps).brings[0]!.reading.refused;
    const problem = problemText([
      `pump-7: x: ${unread?.sentence}`,
      'pump-8: The sensor has no channel "9".',
      `pump-9: ${behind}`,
    ]);
    expect(line(pumps, problem)).toBe(
      'pump-7: 1 = 20.5, x (refused: not a number); pump-8: 1 = 19, 9 = 2 (refused: no such channel); pump-9: 1 = 3 (refused: not stored); pump-7: 1 = 2',
    );
    expect(isUseless(reading(pumps), problem)).toBe(false);
    const [, , last] = pumps;
    expect(isUseless(reading([last!]), `pump-9: ${behind}`)).toBe(true);
  });

  test('marks a frame without values, and the last frame of a sensor that sent too many', () => {
    const [, , pump] = pumps;
    expect(line([{ uid: 'pump-9' }, pump!], 'pump-9: The frame has no values.')).toBe(
      'pump-9: no values (refused: not stored); pump-9: 1 = 3',
    );
    expect(line([pump!, pump!], 'pump-9: The sensor sends too much.')).toBe(
      'pump-9: 1 = 3; pump-9: 1 = 3 (refused: not stored)',
    );
  });

  test('is omitted for frames that the log does not mention', () => {
    const flood = Array.from({ length: 12 }, (_, index) => ({ uid: 'pump-1', '1': index }));
    expect(line(flood, problemText(flood.slice(6).map(() => 'pump-1: The sensor sends too much.')))).toBe(
      '12 frames, not all stored',
    );
    const frames = Array.from({ length: 12 }, (_, index) => ({ uid: `pump-${index + 1}`, '1': index }));
    expect(line(frames, null)).toMatch(/; pump-8: 1 = 7; and 4 more frames$/);
    const refused = frames.map(({ uid }) => `${uid}: ${notRegistered(uid)}`);
    expect(line(frames, problemText(refused))).toMatch(
      /^pump-1: 1 = 0 \(refused: not stored\);.* pump-5: 1 = 4 \(refused: not stored\); and 7 more frames, not all stored$/,
    );
  });

  test('is stated for a call whose problem text contains no uids', () => {
    const own = readFrame(text('[{"uid": "pump-7", "1": 2, "9": 1}]'), 'auto');
    expect(readingLine(own, 'uid: The value "pump-7" is not a number. The sensor has no channel "9".')).toBe(
      'pump-7: 1 = 2, 9 = 1 (refused: no such channel)',
    );
    expect(readFrame(text('{"frames": 3}'), 'auto').samples).toHaveLength(1);
    expect(readFrame(text('{"frames": []}'), 'auto').problem).toBe(
      'The request contains no frames. Send at least one.',
    );
    expect(readFrame(text('{"frames": [{"uid": "pump-7"}, {"1": 2}]}'), 'auto').problem).toBe(
      'Every frame in the call must contain the uid of its sensor.',
    );
  });

  test("is decoded with each sensor's channels", () => {
    const call = text('[{"uid": "pump-7", "level": 205}, {"uid": "pump-8", "level": 1}]');
    const { brings } = readFrame(call, 'auto', undefined, undefined, new Map([['pump-7', [level]]]));
    expect(brings).toMatchObject([
      { uid: 'pump-7', reading: { samples: [{ name: 'Level', stored: 20.5 }] } },
      { uid: 'pump-8', reading: { samples: [{ name: null, sent: 1 }] } },
    ]);
  });
});

test('a log line of a rejected device has no frame, only the reason', () => {
  expect(readFrame({ rawData: '', encoding: 'none' }, 'auto').problem).toBe('No frame was recorded.');
  const line = { encoding: 'none', problem: 'The token is wrong.' };
  expect(rejectionText(line)).toBe('Rejected: The token is wrong.');
  expect(rejectionText({ ...line, encoding: 'text' })).toBe('The token is wrong.');
});
