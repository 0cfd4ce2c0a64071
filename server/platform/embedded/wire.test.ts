import { describe, expect, test } from 'vitest';
import { concat, isStartup, isTerminate, replaceErrors, simpleQuery } from './wire.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/** A message of the protocol: a letter, the length with itself, the body. */
function message(letter: string, body: string): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + Buffer.byteLength(body));
  return Buffer.concat([Buffer.from(letter), length, Buffer.from(body)]);
}

describe('the bytes between the threads', () => {
  test('a query is a message of the protocol', () => {
    expect(text(simpleQuery('select 1'))).toBe('Q\0\0\0\rselect 1\0');
  });

  test('first and last messages are told apart from the others', () => {
    expect(isStartup(new Uint8Array([0, 0, 0, 8]))).toBe(true);
    expect(isStartup(simpleQuery('x'))).toBe(false);
    expect(isTerminate(message('X', ''))).toBe(true);
    expect(isTerminate(simpleQuery('X'))).toBe(false);
  });

  test('only errors of the one code are replaced', () => {
    const other = message('E', 'SERROR\0C23505\0Mtwice\0\0');
    const readOnly = message('E', 'SERROR\0VERROR\0C25006\0Mcannot execute INSERT\0\0');
    const ready = message('Z', 'I');
    const reply = concat([message('1', ''), other, readOnly, ready]);
    const replaced = replaceErrors(reply, '25006', { code: '53100', message: 'full' });
    expect(text(replaced)).toBe(
      text(concat([message('1', ''), other, message('E', 'SERROR\0VERROR\0C53100\0Mfull\0\0'), ready])),
    );
  });

  test('a reply without such an error is handed on as it is', () => {
    const reply = concat([message('D', 'C25006\0'), message('Z', 'I')]);
    expect(replaceErrors(reply, '25006', { code: '53100', message: 'full' })).toBe(reply);
  });
});
