import { expect, test } from 'vitest';
import { createHttp } from './http.ts';
import { silentLog } from './log.ts';

test('a page may connect to its own server only', async () => {
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

test('a failed request is logged with its id and its route, not with its URL, which can contain a secret', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = { ...silentLog, error: (_message: string, data?: object) => void lines.push({ ...data }) };
  const app = await createHttp({ log, trustProxy: [] });
  try {
    app.get('/receipts/:secret', () => {
      throw new Error('broken');
    });
    const answers = [await app.inject('/receipts/S3cret'), await app.inject('/receipts/S3cret?token=T0ken')];
    expect(answers.map((answer) => answer.json().errorMessage)).toEqual(
      lines.map(({ requestId }) => `Something went wrong on the server. The error is logged as ${requestId}.`),
    );
    expect(new Set(lines.map(({ requestId }) => requestId)).size).toBe(2);
    expect(lines[0]).toMatchObject({ method: 'GET', route: '/receipts/:secret' });
    expect(JSON.stringify(lines)).not.toMatch(/S3cret|T0ken/);
  } finally {
    await app.close();
  }
});
