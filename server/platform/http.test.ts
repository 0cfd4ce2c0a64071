import { expect, test } from 'vitest';
import { createHttp } from './http.ts';
import { silentLog } from './log.ts';

test('a page may ask the server that it came from, and no other', async () => {
  const app = await createHttp({ log: silentLog, trustProxy: [] });
  try {
    const { headers } = await app.inject('/');
    expect(String(headers['content-security-policy']).split(';')).toEqual(
      expect.arrayContaining(["default-src 'self'", "connect-src 'self'", "form-action 'self'"]),
    );
  } finally {
    await app.close();
  }
});
