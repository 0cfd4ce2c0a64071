import { expect, test } from 'vitest';
import { introductionOf, LineCutter } from './tcp-lines.ts';

const text = (lines: (Buffer | undefined)[]) => lines.map((line) => line?.toString() ?? null);

test('splits lines at LF or CRLF, wherever packets are split', () => {
  for (let size = 1; size < 12; size += 1) {
    const cutter = new LineCutter(100);
    const lines: (string | null)[] = [];
    const input = Buffer.from('one\ntwo\r\n\nthree\r\nlast');
    for (let at = 0; at < input.length; at += size) lines.push(...text(cutter.push(input.subarray(at, at + size))));
    expect(cutter.pending).toBe(true);
    expect(text([cutter.rest()])).toEqual(['last']);
    expect(lines).toEqual(['one', 'two', '', 'three']);
    expect(cutter.pending).toBe(false);
  }
});

test('discards a line that is too long and reads the next', () => {
  for (const size of [1, 7, 1000]) {
    const cutter = new LineCutter(10);
    const lines: (string | null)[] = [];
    const input = Buffer.from(`${'x'.repeat(10)}\r\n${'x'.repeat(11)}\n${'x'.repeat(500)}\nok\n`);
    for (let at = 0; at < input.length; at += size) lines.push(...text(cutter.push(input.subarray(at, at + size))));
    expect(lines).toEqual(['x'.repeat(10), null, null, 'ok']);
  }
});

test('reads uid, token and frame from a line', () => {
  const read = (line: string) => {
    const { uid, token, frame } = introductionOf(Buffer.from(line));
    return [uid, token, frame.toString()];
  };
  expect(read('pump-1 secret {"1": 2}')).toEqual(['pump-1', 'secret', '{"1": 2}']);
  expect(read(' pump-1\tsecret  1=2 3=4 ')).toEqual(['pump-1', 'secret', '1=2 3=4 ']);
  expect(read('pump-1 secret ')).toEqual(['pump-1', 'secret', '']);
  expect(read('pump-1')).toEqual(['pump-1', '', '']);
});
