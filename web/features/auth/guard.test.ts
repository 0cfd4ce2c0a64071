import { describe, expect, test } from 'vitest';
import { type Audience, guard } from './guard.ts';

const audiences: Audience[] = ['everybody', 'visitors', 'code-holders', 'signed-in', 'demo'];

const visit = (audience: Audience, session: 'unknown' | 'in' | 'out', demo = false) => {
  const verdict = guard(audience, { session, demo });
  return verdict.allow ? 'opens' : verdict.to;
};

describe('a visitor before sign-in', () => {
  test('may sign in, request a new password, activate and verify', () => {
    expect(visit('visitors', 'out')).toBe('opens');
    expect(visit('code-holders', 'out')).toBe('opens');
  });

  test('is redirected to the login from every other page', () => {
    expect(visit('signed-in', 'out')).toBe('/auth/login');
    expect(guard('signed-in', { session: 'out', demo: true })).toMatchObject({ because: 'not-signed-in' });
  });
});

describe('a signed-in user', () => {
  test('may open the pages of the console', () => {
    expect(visit('signed-in', 'in')).toBe('opens');
  });

  test('is redirected from a login page to the reports', () => {
    expect(visit('visitors', 'in')).toBe('/reports');
  });

  test('may still open a link with a code', () => {
    expect(visit('code-holders', 'in')).toBe('opens');
  });
});

describe('the demo pages', () => {
  test.each(['in', 'out'] as const)('open in a demo and are unknown elsewhere (signed %s)', (session) => {
    expect(visit('demo', session, true)).toBe('opens');
    expect(visit('demo', session, false)).toBe('/error/4xx');
  });
});

describe('before the login status is known', () => {
  test('only the error pages open', () => {
    for (const audience of audiences) {
      expect(visit(audience, 'unknown', true)).toBe(audience === 'everybody' ? 'opens' : '/error/5xx');
    }
  });
});
