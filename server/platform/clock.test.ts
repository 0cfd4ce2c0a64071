import { describe, expect, test } from 'vitest';
import { HandClock, randomDigits, randomToken, randomUuid, systemClock } from './clock.ts';

describe('the test clock', () => {
  test('stands still until it is set or advanced', () => {
    const clock = new HandClock(new Date('2026-03-01T10:00:00Z'));
    expect(clock.now().toISOString()).toBe('2026-03-01T10:00:00.000Z');
    clock.advance(90_000);
    expect(clock.now().toISOString()).toBe('2026-03-01T10:01:30.000Z');
    clock.set(new Date('2025-01-01T00:00:00Z'));
    expect(clock.now().toISOString()).toBe('2025-01-01T00:00:00.000Z');
  });

  test('does not change when a caller changes the returned date', () => {
    const start = new Date('2026-03-01T10:00:00Z');
    const clock = new HandClock(start);
    start.setUTCFullYear(1999);
    clock.now().setUTCFullYear(1999);
    expect(clock.now().getUTCFullYear()).toBe(2026);
  });
});

test('the system clock moves with real time', () => {
  const before = Date.now();
  expect(systemClock.now().getTime()).toBeGreaterThanOrEqual(before);
});

describe('randomness', () => {
  test('a token holds the requested bytes in URL-safe characters', () => {
    expect(Buffer.from(randomToken(), 'base64url')).toHaveLength(32);
    expect(Buffer.from(randomToken(16), 'base64url')).toHaveLength(16);
    expect(randomToken()).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(randomToken()).not.toBe(randomToken());
  });

  test('codes keep leading zeros and use all ten digits', () => {
    const codes = Array.from({ length: 500 }, () => randomDigits(6));
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    expect(new Set(codes.join('')).size).toBe(10);
    expect(codes.some((code) => code.startsWith('0'))).toBe(true);
  });

  test('randomUuid returns a valid UUID', () => {
    expect(randomUuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});
