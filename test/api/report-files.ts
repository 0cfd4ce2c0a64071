/** Downloads report files and reads them with third-party programs. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { HandClock } from '../../server/platform/clock.ts';
import { ensureDebianPackage, type Found } from '../harness/machine/debian.ts';
import { startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { buildReportPlant, NOW, type ReportPlant } from './report-plant.ts';

export const days = 'from=2025-10-20&to=2026-01-14';
export const variables = {
  rangeFrom: ['Datetime!', '2025-10-19T22:00:00Z'],
  rangeTo: ['Datetime!', '2026-01-14T23:00:00Z'],
} satisfies Record<string, [string, unknown]>;

/**
 * Formats the time in a cell, rounded to seconds. A spreadsheet stores a time as a fraction of a day, which can be a
 * millisecond off.
 */
export const wallClock = (cell: unknown) =>
  new Date(Math.round((cell as Date).getTime() / 1000) * 1000).toISOString().slice(0, 19).replace('T', ' ');

/** Returns the text of a cell as CSV stores it, with formulas escaped. */
export const harmless = (text: string) => (/^[=+\-@]/.test(text) ? `'${text}` : text);

/** Starts an app with the report plant, and downloads report files as its owner. */
export class ReportFiles {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tocsin-files-'));
  readonly #pdfs = new Map<string, Promise<string>>();

  readonly app: TestApp;
  readonly plant: ReportPlant;
  readonly owner: TestBrowser;
  readonly #pdftotext: Found;

  private constructor(app: TestApp, plant: ReportPlant, owner: TestBrowser, pdftotext: Found) {
    this.app = app;
    this.plant = plant;
    this.owner = owner;
    this.#pdftotext = pdftotext;
  }

  static async start(): Promise<ReportFiles> {
    const pdftotext = await ensureDebianPackage({ binaries: ['pdftotext'], package: 'poppler-utils' });
    const app = await startTestApp({ clock: new HandClock(NOW) });
    const plant = await buildReportPlant(app.db);
    return new ReportFiles(app, plant, await app.browser(plant.owner), pdftotext);
  }

  async close(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true });
    await this.app.close();
  }

  file = async (path: string, browser = this.owner): Promise<Buffer> => {
    const answer = await browser.get(`/api/v1/reports/${path}`);
    expect(answer.statusCode, answer.statusCode === 200 ? '' : answer.body).toBe(200);
    return answer.rawPayload;
  };

  csv = async (path: string): Promise<string[][]> => parse(await this.file(path), { bom: true });

  /**
   * Returns the text of a PDF. The text is cached, because creating a PDF is slow. SMS reports are not cached, because
   * the price changes between tests.
   */
  pdf = (path: string): Promise<string> => {
    const cached = path.startsWith('sms') ? undefined : this.#pdfs.get(path);
    const text = cached ?? this.makePdf(path);
    this.#pdfs.set(path, text);
    return text;
  };

  makePdf = async (path: string): Promise<string> => {
    if ('missing' in this.#pdftotext) throw new Error(this.#pdftotext.missing);
    const name = join(this.#folder, 'report.pdf');
    writeFileSync(name, await this.file(path));
    const { stdout } = await promisify(execFile)(this.#pdftotext.path, ['-layout', name, '-'], { maxBuffer: 1 << 26 });
    // pdftotext adds direction marks to right-to-left text.
    return stdout.replace(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/g, '');
  };
}
