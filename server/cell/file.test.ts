import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../test/harness/machine/scratch.ts';
import { ExportWriter, readExport } from './file.ts';

const folder = scratchFolder('export');
let count = 0;

async function write(blocks: readonly string[][]): Promise<string> {
  count += 1;
  const path = join(folder, `${count}.gz`);
  const writer = new ExportWriter(path);
  for (const lines of blocks) await writer.lines(lines);
  await writer.finish();
  return path;
}

async function read(path: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const block of readExport(path)) lines.push(...block);
  return lines;
}

const rows = fc.array(fc.array(fc.option(fc.string({ unit: 'grapheme' })), { minLength: 1, maxLength: 3 }), {
  maxLength: 8,
});
const blocks = fc.array(
  rows.map((some) => some.map((row) => JSON.stringify(row))),
  { minLength: 1, maxLength: 4 },
);
const damaged = /is damaged or incomplete\. Copy it again/;

describe('the file of an export', () => {
  test('returns every line that was written, in order', async () => {
    await fc.assert(
      fc.asyncProperty(blocks, async (some) => {
        expect(await read(await write(some))).toEqual(some.flat());
      }),
      { numRuns: 50 },
    );
  });

  test('returns a line of a megabyte', async () => {
    const line = JSON.stringify(['x'.repeat(1_000_000), 'ü'.repeat(100_000)]);
    expect(await read(await write([[line], [line]]))).toEqual([line, line]);
  });

  test('is refused when it ends early, at any byte', async () => {
    const whole = readFileSync(await write([['["1","a"]', '["2",null]']]));
    for (let length = 0; length < whole.length; length += 1) {
      const path = join(folder, 'short.gz');
      writeFileSync(path, whole.subarray(0, length));
      await expect(read(path), `${length} of ${whole.length} bytes`).rejects.toThrow(damaged);
    }
  });

  test('is refused when its text was changed, even if it was compressed again', async () => {
    const text = gunzipSync(readFileSync(await write([['["1","a"]', '["2","b"]', '["3","c"]']]))).toString();
    const lines = text.split('\n');
    const changes = {
      'a value': text.replace('"b"', '"x"'),
      'a missing row': lines.toSpliced(1, 1).join('\n'),
      'a repeated row': lines.toSpliced(1, 0, lines[1] as string).join('\n'),
      'a missing end': lines.toSpliced(3, 1).join('\n'),
      'a row after the end': `${text}["4","d"]\n`,
    };
    for (const [change, changed] of Object.entries(changes)) {
      const path = join(folder, 'changed.gz');
      writeFileSync(path, gzipSync(changed));
      await expect(read(path), change).rejects.toThrow(damaged);
    }
  });

  test('is refused when it does not exist or is not an export', async () => {
    await expect(read(join(folder, 'none.gz'))).rejects.toThrow('does not exist');
    writeFileSync(join(folder, 'text.gz'), 'a text');
    await expect(read(join(folder, 'text.gz'))).rejects.toThrow(damaged);
  });

  test('is accessible only to the account that created it, because it contains password hashes', async () => {
    expect(statSync(await write([['[]']])).mode & 0o777).toBe(0o600);
  });

  test('is removed when the export is cancelled, and a missing folder is reported', async () => {
    const path = join(folder, 'given-up.gz');
    const writer = new ExportWriter(path);
    await writer.lines(['[]']);
    await writer.discard();
    await expect(read(path)).rejects.toThrow('does not exist');
    await expect(read(`${path}.part`)).rejects.toThrow('does not exist');
    const lost = new ExportWriter(join(folder, 'missing', 'x.gz'));
    await expect(lost.finish()).rejects.toThrow(/Cannot write the file.*Choose a different folder/);
  });
});
