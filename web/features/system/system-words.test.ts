import { describe, expect, test } from 'vitest';
import {
  formatBytes,
  formatOffset,
  formatRate,
  formatWait,
  fullWords,
  isRunning,
  processState,
} from './system-words.ts';

test('bytes have three significant digits and a decimal unit', () => {
  const written = [0, 999, 1000, 1234, 45_600_000, 184e9, 2.5e12].map((bytes) => formatBytes(bytes, 'en'));
  expect(written.map(({ number, unit }) => `${number} ${unit}`)).toEqual([
    '0 B',
    '999 B',
    '1 kB',
    '1.23 kB',
    '45.6 MB',
    '184 GB',
    '2.5 TB',
  ]);
});

test('a clock offset has a sign, with a typographic minus', () => {
  expect([41, -110, 0, -3].map((offset) => formatOffset(offset, 'en'))).toEqual(['+0.04', '−0.11', '0.00', '0.00']);
});

test('rates and waits show tenths only while they are small', () => {
  expect([0, 0.52, 9.94, 58.4].map((rate) => formatRate(rate, 'en'))).toEqual(['0', '0.5', '9.9', '58']);
  expect([0.23, 48, 3600].map((seconds) => formatWait(seconds, 'en'))).toEqual(['0.2\u00a0s', '48\u00a0s', '1\u00a0h']);
});

describe('the time until the disk is full', () => {
  test('is in whole days, rounded down', () => {
    const label = 'Disk full in';
    expect(fullWords({ at: 0, inDays: 220.9 }, 'en')).toEqual({ label, value: '220', unit: 'days' });
    expect(fullWords({ at: 0, inDays: 1.2 }, 'en')).toEqual({ label, value: '1', unit: 'day' });
    expect(fullWords({ at: 0, inDays: 0.9 }, 'en')).toEqual({ label, value: 'less than 1', unit: 'day' });
    expect(fullWords({ at: 0, inDays: 9999 }, 'en')).toEqual({ label, value: 'over 10', unit: 'years' });
    expect(fullWords({ at: 0, inDays: 0 }, 'en')).toEqual({ label: 'Disk', value: 'Full' });
  });

  test('says what to do if it is unknown', () => {
    expect(fullWords({ because: 'unknown-disk' }).hint).toContain('TOCSIN_DATABASE_DISK_GB');
    expect(fullWords({ because: 'not-growing' }).value).toBe('Not filling');
  });
});

test('only missing and stopped processes have old figures', () => {
  const states = ['starting', 'ready', 'failing', 'draining', 'stopped', 'missing'];
  expect(states.filter((state) => !isRunning(state))).toEqual(['stopped', 'missing']);
  expect(states.map((state) => processState(state).word)).toEqual([
    'Starting',
    'Running',
    'Not ready',
    'Stopping',
    'Stopped',
    'Missing',
  ]);
});
