/**
 * Format of an export: gzip-compressed lines. The first line is the header, the last line is the checksum. A line
 * `{"table": …}` begins a section: the rows of a table or, with `column`, the numbers in a column. Each row is an array
 * of strings.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { StartError } from '../platform/start-error.ts';
import type { Schema } from './tables.ts';

export const FORMAT = 1;

export interface Header {
  product: 'Tocsin';
  format: number;
  version: string;
  schema: Schema;
  customer: { uuid: string; name: string; host: string; tableName: string };
  partner: Partner;
  /** Database time at which the export was read. */
  at: string;
  /** Milestones of the exporting cell (`tocsin_private.milestone`): time by name. */
  milestones: Record<string, string>;
  /** Number of rows in each table. For a partitioned table, also its weeks, each as the date of its Monday. */
  tables: Record<string, { rows: number; weeks?: string[] }>;
}

export interface Partner {
  uuid: string;
  name: string;
  email: string;
  end_point: string;
  phone: string;
}

/** First line of a section. With `columns`, the rows of `table` follow; with `column`, the numbers in that column. */
export interface Section {
  table: string;
  columns?: string[];
  column?: string;
}

const END = '{"end":';

/** Writes an export. The file name ends with `.part` until the file is complete. */
export class ExportWriter {
  readonly #path: string;
  readonly #part: string;
  readonly #gzip = createGzip({ level: 5 });
  readonly #file: WriteStream;
  readonly #hash = createHash('sha256');
  readonly #written: Promise<void>;

  constructor(path: string) {
    this.#path = path;
    this.#part = `${path}.part`;
    this.#file = createWriteStream(this.#part, { mode: 0o600 });
    this.#file.once('error', () => this.#gzip.destroy());
    this.#written = finished(this.#gzip.pipe(this.#file)).catch((error: Error) => {
      throw new StartError(`Cannot write the file ${this.#part}: ${error.message}. Choose a different folder.`);
    });
    // Prevents an unhandled rejection. `finish` reports the error later.
    this.#written.catch(() => {});
  }

  async lines(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    const text = `${lines.join('\n')}\n`;
    this.#hash.update(text);
    if (this.#gzip.destroyed) await this.#written;
    if (!this.#gzip.write(text)) await Promise.race([once(this.#gzip, 'drain'), this.#written]);
  }

  line(value: Header | Section): Promise<void> {
    return this.lines([JSON.stringify(value)]);
  }

  async finish(): Promise<void> {
    this.#gzip.end(`${END}"${this.#hash.digest('hex')}"}\n`);
    await this.#written;
    const file = await open(this.#part, 'r');
    await file.sync().finally(() => file.close());
    await rename(this.#part, this.#path);
  }

  /** Removes the unfinished file. */
  async discard(): Promise<void> {
    this.#gzip.destroy();
    this.#file.destroy();
    await this.#written.catch(() => {});
    await rm(this.#part, { force: true });
  }
}

const damaged = (path: string) =>
  new StartError(`The file ${path} is damaged or incomplete. Copy it again, or export the customer again.`);

/** Returns the lines of an export in blocks. Throws after the last block if the file is incomplete or was modified. */
export async function* readExport(path: string): AsyncGenerator<string[]> {
  const file = createReadStream(path);
  const gunzip = createGunzip();
  file.once('error', (error) => gunzip.destroy(error));
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  let end: string | undefined;
  try {
    for await (const chunk of file.pipe(gunzip)) {
      const text = rest + decoder.decode(chunk as Buffer, { stream: true });
      const whole = text.lastIndexOf('\n') + 1;
      rest = text.slice(whole);
      if (whole === 0) continue;
      if (end !== undefined) throw damaged(path);
      let block = text.slice(0, whole);
      const last = block.startsWith(END) ? 0 : block.indexOf(`\n${END}`) + 1;
      if (block.startsWith(END) || last > 0) {
        end = block.slice(last);
        block = block.slice(0, last);
      }
      hash.update(block);
      if (block !== '') yield block.slice(0, -1).split('\n');
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new StartError(`The file ${path} does not exist. Check the path.`);
    if (code === 'EACCES' || code === 'EISDIR')
      throw new StartError(`Cannot read the file ${path}. Check the path and its permissions.`);
    if (code?.startsWith('Z_') || code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw damaged(path);
    throw error;
  } finally {
    file.destroy();
  }
  if (rest !== '' || end !== `${END}"${hash.digest('hex')}"}\n`) throw damaged(path);
}

/** Parses a line. If the line is not JSON, throws an error that the file is damaged. */
export function readLine<T>(line: string, path: string): T {
  try {
    return JSON.parse(line);
  } catch {
    throw damaged(path);
  }
}

export interface Checked {
  header: Header;
  /** Uids of the customer's sensors. */
  uids: string[];
}

/**
 * Reads the whole file, so that a damaged file is refused before the import begins. Returns the header and the uids of
 * the sensors.
 */
export async function checkExport(path: string): Promise<Checked> {
  let header: Header | undefined;
  let section: Section | undefined;
  const uids: string[] = [];
  for await (const lines of readExport(path)) {
    for (const line of lines) {
      if (header === undefined) {
        header = readLine<Header>(line, path);
      } else if (line.startsWith('{')) {
        section = readLine<Section>(line, path);
      } else if (section?.table === 'tocsin.sensor') {
        uids.push(readLine<string[]>(line, path)[section.columns?.indexOf('uid') ?? 0] as string);
      }
    }
  }
  if (header?.product !== 'Tocsin' || header.format !== FORMAT) {
    throw new StartError(`The file ${path} is not an export that this version of Tocsin can read.`);
  }
  return { header, uids };
}
