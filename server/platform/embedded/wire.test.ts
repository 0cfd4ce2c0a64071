import { describe, expect, test } from 'vitest';
import { concat, isStartup, isTerminate, replaceErrors, simpleQuery } from './wire.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** Builds a protocol message: type letter, length (which includes itself) and body. */
function message(letter: string, body: string): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + Buffer.byteLength(body));
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(body)]);
}

describe('protocol messages between the threads', () => {
  test('encodes a query as a protocol message', () => {
    expect(text(simpleQuery('select 1'))).toBe('Q\0\0\0\rselect 1\0');
  });

  test('recognises Startup and Terminate messages', () => {
    expect(isStartup(new Uint8Array([0, 0, 0, 8]))).toBe(true);
    expect(isStartup(simpleQuery('x'))).toBe(false);
    expect(isTerminate(message('X', ''))).toBe(true);
    expect(isTerminate(simpleQuery('X'))).toBe(false);
  });

  test('replaces only errors with the given code', () => {
    const other = message('E', 'SERROR\0C23505\0Mtwice\0\0');
    const readOnly = message('E', 'SERROR\0VERROR\0C25006\0Mcannot execute INSERT\0\0');
    const ready = message('Z', 'I');
    const reply = concat([message('1', ''), other, readOnly, ready]);
    const replaced = replaceErrors(reply, '25006', { code: '53100', message: 'full' });
    expect(text(replaced)).toBe(
      text(concat([message('1', ''), other, message('E', 'SERROR\0VERROR\0C53100\0Mfull\0\0'), ready])),
    );
  });

  test('returns a reply without such an error unchanged', () => {
    const reply = concat([message('D', 'C25006\0'), message('Z', 'I')]);
    expect(replaceErrors(reply, '25006', { code: '53100', message: 'full' })).toBe(reply);
  });
});
