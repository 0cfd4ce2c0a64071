/** Reports of a plant with known history, and helpers that read the report pages. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { HandClock } from '../../../server/platform/clock.ts';
import { buildReportPlant, NOW, type ReportPlant } from '../../api/report-plant.ts';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import type { VisitOptions } from '../../harness/browser/visits.ts';
import { setDefaultCustomer } from '../../harness/database/factories.ts';

export let app: ConsoleApp;
export let plant: ReportPlant;

/** Starts the console and the plant before the tests of a file, and stops them afterwards. */
export function startReportPlant(): void {
  beforeAll(async () => {
    app = await startConsole({ clock: new HandClock(NOW) });
    plant = await buildReportPlant(app.db);
    await setDefaultCustomer(app.db, plant.customer);
  });
  afterEach(leaveAll);
  afterAll(async () => {
    await app?.close();
    expect(troubles.splice(0)).toEqual([]);
  });
}

/** Opens a page as the plant's owner, with the browser's clock at the plant's time. */
export async function open(path: string, options: Partial<VisitOptions> = {}): Promise<Page> {
  const page = await app.visit(path, { as: plant.owner, time: NOW, ...options });
  opened.push(page);
  return page;
}
const opened: Page[] = [];
export const leaveAll = async () => {
  for (const page of opened.splice(0)) await app.leave(page);
};

export const days = 'from=2025-10-20&to=2026-01-14';
/** URL parameters with a date range and a page size, for tests that need only a few rows. */
export const few = `${days}&size=5`;
/** URL parameters with a date range, for tests that need only a few bars. */
export const month = 'from=2025-12-01&to=2025-12-31';
export const first = Date.parse('2025-10-19T22:00:00Z');
export const figure = (page: Page, name: string) =>
  page.locator('dl > div', { has: page.getByText(name, { exact: true }) }).locator('b');
export const cells = (page: Page, label: string, part = 'tbody') =>
  page
    .getByRole('table', { name: label })
    .locator(`${part} tr`)
    .evaluateAll((rows) =>
      (rows as any[]).map((row) => [...row.children].map((cell: any) => (cell.textContent ?? '').replaceAll(',', ''))),
    );

export const headOf = (page: Page, name: string | RegExp) => page.getByRole('columnheader', { name });
export const namesIn = (page: Page, label: string, role: 'table' | 'grid' = 'table') =>
  page.getByRole(role, { name: label }).locator('tbody th').allTextContents();
export const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

export async function download(page: Page, format = 'CSV'): Promise<{ name: string; content: Buffer }> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: `Download as ${format}` }).click();
  const file = await waiting;
  return { name: file.suggestedFilename(), content: readFileSync(await file.path()) };
}
export const rowsOf = ({ content }: { content: Buffer }): string[][] => parse(content, { bom: true });
export const unquoted = (name: string | undefined) => name?.replace(/^'/, '');

/**
 * Expects `count` bars, the first one labelled `start`. Expects the key figure `total` to equal the sum of all bars.
 */
export async function expectBars(
  page: Page,
  title: string,
  total: string,
  count: number,
  start: string,
): Promise<void> {
  const bars = page.getByRole('figure', { name: title }).getByRole('listitem');
  await expect.poll(() => bars.count()).toBe(count);
  const told = await bars.evaluateAll((all) => (all as any[]).map((bar) => bar.title as string));
  expect(told[0]?.split(':')[0]).toBe(start);
  // Reads the numbers in a bar's label, such as `20 Oct: 3 alarm, 1 other`.
  const numbers = told.flatMap((words) => words.match(/\d+(?= [a-z]+(,|$))/g) ?? []).map(Number);
  const sum = numbers.reduce((all, one) => all + one, 0);
  expect(sum).toBeGreaterThan(0);
  await expect.poll(() => figure(page, total).textContent()).toBe(String(sum));
}
