import { describe, expect, test } from 'vitest';
import { safeReturnPath } from './return-path.ts';

describe('the return path after an expired session', () => {
  test.each(['/dashboard', '/admin/sites?q=kelder&page=2', '/reports#health', '/dashboard/sites/0a1b'])(
    'accepts %s, a page of the console',
    (path) => expect(safeReturnPath(path)).toBe(path),
  );

  test.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/..//evil.example',
    '/\t/evil.example',
    '\n//evil.example',
    'https://evil.example/dashboard',
    'javascript:alert(1)',
    'dashboard',
    '',
    ' /dashboard',
  ])('rejects %j, which leads to another host', (path) => expect(safeReturnPath(path)).toBeNull());

  test.each(['/auth/login', '/auth/login?return=/dashboard', '/error/4xx', '/pass', '/test', '/x/../auth/login'])(
    'rejects %s, which would cause a redirect loop',
    (path) => expect(safeReturnPath(path)).toBeNull(),
  );

  test.each([undefined, null, 7, ['/dashboard'], {}])('rejects %j, which is not text', (value) =>
    expect(safeReturnPath(value)).toBeNull(),
  );

  test('accepts a page whose name only starts like a login page', () => {
    expect(safeReturnPath('/authors')).toBe('/authors');
  });
});
