import { expect, test } from 'vitest';
import { doorWord, readFrame, readingLine } from './reading.ts';

const text = (rawData: string) => ({ rawData, encoding: 'text' });
const level = { channelNumber: 1, name: 'Level', channelFactor: 0.1, channelOffset: 0, channelDecimals: 1 };

test('a frame is read as the pipeline reads it', () => {
  const reading = readFrame(text('1=20.5;level=7;x=y;gsm_signal=-77;ack=12'), 'auto');
  expect(reading.samples.map(({ channel, sent }) => [channel, sent])).toEqual([
    ['1', 20.5],
    ['level', 7],
  ]);
  expect(reading.refused).toHaveLength(1);
  expect(readingLine(reading)).toBe('1 = 20.5, level = 7, −77 dBm, confirms 12, 1 refused');
});

test('with the channels of its sensor it says what would be stored, and which channel there is not', () => {
  const reading = readFrame(text('{"LEVEL": 205, "9": 1}'), 'json', [level]);
  expect(reading.samples).toEqual([{ channel: 'LEVEL', name: 'Level', sent: 205, stored: 20.5, time: undefined }]);
  expect(reading.refused).toEqual([{ channel: '9', sentence: 'The sensor has no channel "9".' }]);
});

test('a frame that cannot be read says why', () => {
  expect(readFrame(text('{"1": '), 'json').problem).toMatch(/JSON/);
  expect(readFrame(text(''), 'auto').problem).toBe('The frame is empty.');
  expect(readFrame({ rawData: '//79', encoding: 'base64' }, 'auto').problem).toBe('The frame is not text in UTF-8.');
  expect(readFrame({ rawData: '%', encoding: 'base64' }, 'auto').problem).toBe('This is not base64.');
});

test('a long frame is cut in its line', () => {
  const many = Array.from({ length: 12 }, (_, index) => `${index + 1}=1`).join(';');
  expect(readingLine(readFrame(text(many), 'auto'))).toMatch(/8 = 1, and 4 more$/);
});

test('a format that is none reads as one that looks for itself', () => {
  expect(readFrame(text('{"1": 2}'), 'morse').samples).toHaveLength(1);
});

test('a message of Sparkplug is read from its words, however its sensor writes otherwise', () => {
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
  expect(readingLine(reading)).toBe('Level = 20.5, 1 refused');
  expect(doorWord({ door: 'mqtt', rawData })).toBe('Sparkplug');
  expect(doorWord({ door: 'http', rawData })).toBe('HTTP');
  expect(doorWord({ door: 'mqtt', rawData: '1=2' })).toBe('MQTT');
});
