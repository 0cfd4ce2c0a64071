import { afterEach, describe, expect, test, vi } from 'vitest';
import { consoleLog, formatLine, silentLog } from './log.ts';

describe('a line of the log', () => {
  test('is the level, the message and the data', () => {
    expect(formatLine('info', 'checkpoint done', { ms: 12, bytes: 4096n, folder: '/srv/data' })).toBe(
      'info checkpoint done ms=12 bytes=4096 folder=/srv/data',
    );
  });

  test('quotes what would be misread and leaves out what is undefined', () => {
    expect(formatLine('warn', 'slow', { text: 'a b=c', empty: '', none: undefined, nothing: null })).toBe(
      'warn slow text="a b=c" empty="" nothing=null',
    );
  });

  test('stays one line, with errors and dates readable', () => {
    const line = formatLine('error', 'broke\n  badly', {
      error: new Error('first\nsecond'),
      at: new Date('2026-01-02T03:04:05Z'),
    });
    expect(line).toBe('error broke badly error="first\\nsecond" at=2026-01-02T03:04:05.000Z');
  });

  test('survives data that cannot be printed', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(formatLine('info', 'x', { circle })).toBe('info x circle="[not printable]"');
  });
});

describe('the logs', () => {
  afterEach(() => vi.restoreAllMocks());

  test('the console log separates information from what needs attention; the silent one writes nothing', () => {
    const out = vi.spyOn(console, 'log').mockImplementation(() => {});
    const err = vi.spyOn(console, 'error').mockImplementation(() => {});
    for (const log of [consoleLog, silentLog]) {
      log.info('one');
      log.warn('two');
      log.error('three', { n: 3 });
    }
    expect(out.mock.calls).toEqual([['info one']]);
    expect(err.mock.calls).toEqual([['warn two'], ['error three n=3']]);
  });
});
