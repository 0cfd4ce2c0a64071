import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeFrame } from '../../domain/frame/decode.ts';
import { corrupt, type FrameContent, writeFrame } from './write-frame.ts';

const time = Date.UTC(2026, 10, 15, 7, 0, 15);
const content: FrameContent = {
  time,
  values: [
    ['1', 20.5],
    ['3', 1],
  ],
  gsm: { provider: 'North Net', signal: -77 },
  confirmations: [{ id: 12, reply: 'REBOOT "now", done' }],
};

describe('a frame', () => {
  test.each([
    [
      'json',
      '{"1":20.5,"3":1,"t":1794726015000,"gsm":{"provider":"North Net","signal":-77},"ack":12,"reply":"REBOOT \\"now\\", done"}',
    ],
    [
      'key-value',
      't=1794726015;1=20.5;3=1;gsm_provider="North Net";gsm_signal=-77;ack=12;reply="REBOOT ""now"", done"',
    ],
    [
      'csv',
      '2026-11-15T07:00:15.000Z,20.5,,1,"gsm_provider=North Net",gsm_signal=-77,ack=12,"reply=REBOOT ""now"", done"',
    ],
  ] as const)('in %s', (format, text) => expect(writeFrame(content, format)).toBe(text));

  test('in CSV with named channels has a header', () => {
    expect(writeFrame({ time, values: [['temp', 1]] }, 'csv')).toBe('time,temp\n2026-11-15T07:00:15.000Z,1');
  });

  test('has the same contents in every format', () => {
    const reply = fc.stringMatching(/^[A-Za-z0-9 ,;&="]{1,30}$/).map((text) => `x${text}x`);
    const anything = fc.record({
      time: fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2090, 0, 1) }),
      values: fc.uniqueArray(
        fc.tuple(
          fc.integer({ min: 1, max: 30 }).map(String),
          fc.integer({ min: -1e6, max: 1e6 }).map((value) => value / 100),
        ),
        { selector: ([channel]) => channel, minLength: 1, maxLength: 8 },
      ),
      gsm: fc.record({ provider: reply, signal: fc.integer({ min: -150, max: 0 }) }),
      confirmations: fc.array(fc.record({ id: fc.integer({ min: 1 }), reply }), { maxLength: 1 }),
    });
    fc.assert(
      fc.property(anything, fc.constantFrom('json', 'key-value', 'csv'), (meant, format) => {
        const decoded = decodeFrame(writeFrame(meant, format), 'auto');
        const samples = meant.values
          .map(([channel, value]) => ({ channel, value: value + 0, time: meant.time }))
          .sort((a, b) => Number(a.channel) - Number(b.channel));
        expect(decoded).toMatchObject({
          ok: true,
          frame: { gsm: meant.gsm, confirmations: meant.confirmations, refused: [] },
        });
        const found = decoded.ok ? decoded.frame.values : [];
        expect(found.toSorted((a, b) => Number(a.channel) - Number(b.channel))).toEqual(samples);
      }),
      { numRuns: 500 },
    );
  });

  test('is one line when corrupted, and mostly unusable', () => {
    const outcomes = Array.from({ length: 200 }, (_, index) => {
      const body = corrupt(writeFrame(content, 'json'), 'seed', index);
      expect(body.includes(10)).toBe(false);
      const decoded = decodeFrame(body, 'auto');
      return decoded.ok ? 'values' : decoded.because;
    });
    expect(new Set(outcomes)).toContain('not-text');
    expect(new Set(outcomes)).toContain('not-json');
    expect(outcomes.filter((outcome) => outcome === 'values').length).toBeLessThan(100);
    expect(corrupt('{"1":2}', 'seed', 1)).toEqual(corrupt('{"1":2}', 'seed', 1));
  });
});
