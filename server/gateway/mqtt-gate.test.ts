import { expect, test } from 'vitest';
import { packetSizes } from './mqtt-gate.ts';

/** Returns a packet with the given number of bytes after its header. */
function packet(length: number): Buffer {
  const header = [0x30];
  let rest = length;
  do {
    header.push((rest % 128) | (rest >= 128 ? 0x80 : 0));
    rest = Math.floor(rest / 128);
  } while (rest > 0);
  return Buffer.concat([Buffer.from(header), Buffer.alloc(length, 0xff)]);
}

test('reads the longest packet length from its header, wherever the stream is split', () => {
  const lengths = [0, 2, 127, 128, 300, 16_384, 0, 5];
  const stream = Buffer.concat(lengths.map(packet));
  for (const size of [1, 2, 3, 7, 129, 100_000]) {
    const sizes = packetSizes();
    let longest = 0;
    for (let at = 0; at < stream.length; at += size) longest = Math.max(longest, sizes(stream.subarray(at, at + size)));
    expect(longest).toBe(16_384);
    expect(sizes(packet(42))).toBe(42);
  }
});

test('detects a large packet before it has arrived', () => {
  expect(packetSizes()(packet(20_000_000).subarray(0, 5))).toBe(20_000_000);
});
