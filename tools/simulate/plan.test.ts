import { describe, expect, test } from 'vitest';
import { readPlan } from './plan.ts';

const channel = { channel: '1', kind: 'analog' };
const sensor = { uid: 'P-1', token: 'x', protocol: 'http', format: 'json', everySeconds: 15, channels: [channel] };
const server = { http: 'http://localhost:8080', tcp: 'tcp://localhost:5055' };
const plan = (changes: object) => ({ server, sensors: [{ ...sensor, ...changes }] });
const withChannel = (changes: object) => plan({ channels: [{ ...channel, ...changes }] });

describe('a plan', () => {
  test('that is valid is returned unchanged', () => {
    const full = withChannel({
      curve: 'mine',
      stuck: { chance: 0.1 },
      spikes: [{ to: 9, when: { everySeconds: 60, forSeconds: 5 } }],
      drift: { perHour: 1, when: { from: '2026-11-15T00:00:00Z' } },
    });
    expect(readPlan(full, { mine: () => 1 })).toEqual(full);
  });

  test.each([
    ['The plan must be an object.', []],
    ['server must be an object.', { sensors: [] }],
    ['server.http must be an address', { server: { http: 'nowhere' }, sensors: [] }],
    ['server.ftp must be an address', { server: { ftp: 'ftp://localhost' }, sensors: [] }],
    ['sensors must be a list.', { server }],
    ['sensors[0].protocol must be one of http, mqtt, tcp.', plan({ protocol: 'fax' })],
    ['sensors[0] uses mqtt, but server has no address for it.', plan({ protocol: 'mqtt' })],
    ['sensors[0].format must be one of json, key-value, csv.', plan({ format: 'auto' })],
    ['sensors[0].uid must be non-empty text.', plan({ uid: '' })],
    ['sensors[0].everySeconds must be a number above 0.', plan({ everySeconds: 0 })],
    ['sensors[0].silence must be {chance}', plan({ silence: { chance: 2 } })],
    ['sensors[0].badFrames must be {chance}', plan({ badFrames: {} })],
    ['sensors[0].channels[0].kind must be one of', withChannel({ kind: 'sound' })],
    ['sensors[0].channels[0].curve must be one of flat', withChannel({ curve: 'toString' })],
    ['sensors[0].channels[0].low must be a number.', withChannel({ low: '3' })],
    ['sensors[0].channels[0].stuck must be', withChannel({ stuck: { from: 'tomorrow' } })],
    ['a TCP frame has only one', plan({ protocol: 'tcp', format: 'csv', channels: [{ ...channel, channel: 'temp' }] })],
  ])('%s', (sentence, given) => expect(() => readPlan(given)).toThrow(sentence));
});
