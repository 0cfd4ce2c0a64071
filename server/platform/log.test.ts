import { describe, expect, test } from 'vitest';
import { createLog, type LogFormat, silentLog } from './log.ts';

function collect(format: LogFormat) {
  const out: string[] = [];
  const err: string[] = [];
  const to = (lines: string[]) => ({ write: (line: string) => lines.push(line) });
  return { log: createLog({ format, out: to(out), err: to(err) }), out, err };
}

describe('JSON lines', () => {
  test('have a time, a level, the message and the data', () => {
    const { log, out } = collect('json');
    log.info('checkpoint done', { ms: 12, bytes: 4096n, folder: '/srv/data', none: undefined });
    const line = JSON.parse(out[0] ?? '');
    expect(line).toMatchObject({ level: 'info', msg: 'checkpoint done', ms: 12, bytes: 4096, folder: '/srv/data' });
    expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(line).not.toHaveProperty('none');
  });

  test('show an error as its message with the messages of its causes', () => {
    const { log, err } = collect('json');
    log.error('broke\n  badly', { error: new Error('first\nsecond', { cause: new Error('why') }) });
    expect(err[0]?.trimEnd()).not.toContain('\n');
    expect(JSON.parse(err[0] ?? '')).toMatchObject({ msg: 'broke badly', error: 'first\nsecond: why' });
  });

  test('survive circular data', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const { log, out } = collect('json');
    log.info('x', { circle });
    expect(JSON.parse(out[0] ?? '').msg).toBe('x');
  });
});

test('text has the time, the level, the message and the data in one line', () => {
  const { log, err } = collect('text');
  log.warn('slow\nquery', { text: 'a b', error: new Error('first\nsecond') });
  expect(err).toHaveLength(1);
  expect(err[0]).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: slow query \{.*"text":"a b".*\}\n$/);
  expect(err[0]).toContain('first\\nsecond');
});

test('information goes to standard output, warnings and errors go to standard error', () => {
  for (const format of ['json', 'text'] as const) {
    const { log, out, err } = collect(format);
    log.info('one');
    log.warn('two');
    log.error('three');
    expect([out.length, err.length]).toEqual([1, 2]);
  }
  silentLog.error('nothing');
});

test.each(['json', 'text'] as const)('%s contains no secret, under a key or quoted in a text', (format) => {
  const { log, err } = collect(format);
  const secrets = Array.from({ length: 12 }, (_, index) => `S3cret-${index}-x`);
  const [a, b, c, d, e, f, g, h, i, j, k, l] = secrets;
  log.error(`mail failed at smtps://user:${a}@mail.example.com`, {
    password: b,
    token: c,
    code: d,
    headers: { authorization: `Bearer ${e}`, cookie: f },
    request: { headers: { authorization: g } },
    error: new Error(`postgres://tocsin:${h}@db/x refused; Authorization: Bearer ${i}`),
    stack: `Error at https://sms.example/send?key=${j}&to=1`,
    because: `Its response: Basic ${k}; XSRF-TOKEN=${l}`,
    uid: 'pump-1',
  });
  const text = err.join('');
  expect(secrets.filter((secret) => text.includes(String(secret)))).toEqual([]);
  expect(text).toContain('mail.example.com');
  expect(text).toContain('pump-1');
  if (format === 'json') expect(() => JSON.parse(text)).not.toThrow();
});
