import { describe, expect, test } from 'vitest';
import { chromeFor } from './chrome.ts';

describe('the shell around a page', () => {
  test.each(['/auth/login', '/auth/change-password', '/error/4xx', '/error/5xx', '/pass', '/test'])(
    'is hidden on %s, even for a signed-in person',
    (path) => expect(chromeFor(path, true)).toEqual({ header: false, sidebar: false }),
  );

  test.each(['/dashboard', '/reports', '/administration'])('%s has a header and no sidebar', (path) =>
    expect(chromeFor(path, true)).toEqual({ header: true, sidebar: false }),
  );

  test.each(['/admin', '/admin/sites', '/admin/audits'])('%s has both', (path) =>
    expect(chromeFor(path, true)).toEqual({ header: true, sidebar: true }),
  );

  test('a visitor who has not signed in sees none of it', () => {
    expect(chromeFor('/admin/sites', false)).toEqual({ header: false, sidebar: false });
  });
});
