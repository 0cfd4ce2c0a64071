import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import type { VisitOptions } from '../../harness/browser/visits.ts';
import { long } from '../../harness/long.ts';
import { expectAccessible } from '../support/accessible.ts';
import {
  addHistory,
  type ColdStore,
  createColdStore,
  HOUR,
  MINUTE,
  openAtPlantTime,
  speak,
} from '../support/site-plant.ts';

let app: ConsoleApp;
let store: ColdStore;
beforeAll(async () => {
  app = await startConsole();
  store = await createColdStore(app, 'Trend Store');
  // Adds more readings than the chart has pixels, so that it shows averages until the user zooms in.
  await addHistory(app, store.temperature, 6, 4, `-20 + sin(extract(epoch from t) / 600)`);
  await addHistory(app, store.current, 30, 600, '30');
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

interface Question {
  from: number;
  to: number;
  width: number;
}

/** Records the page's queries for series from now on. */
function questionsOf(page: Page): Question[] {
  const questions: Question[] = [];
  page.on('request', (request) => {
    const body = request.postDataJSON() as {
      query: string;
      variables: { from: string; to: string; width: number };
    } | null;
    if (!body?.query?.includes('TrendSeries')) return;
    const { from, to, width } = body.variables;
    questions.push({ from: Date.parse(from), to: Date.parse(to), width });
  });
  return questions;
}

const pathOf = (...points: string[]) => `/dashboard/trend?points=${points.join()}`;
const chartOf = (page: Page) => page.getByRole('region', { name: 'Trend' }).locator('.u-over').first();

async function openTrend(path: string, more: Partial<VisitOptions> = {}): Promise<Page> {
  const page = await openAtPlantTime(app, path, { as: app.people.operator, ...more });
  await chartOf(page).waitFor();
  await page.locator('[role="group"][aria-busy="false"]:has(.u-over)').waitFor();
  return page;
}

async function boxOf(page: Page) {
  const box = await chartOf(page).boundingBox();
  if (!box) throw new Error('There is no chart.');
  return box;
}

describe('a trend', () => {
  test('loads finer values when zooming in, keeps the view in the address, and moves and zooms by wheel, Shift, keys and buttons', async () => {
    const page = await openTrend(pathOf(store.temperature));
    await page.getByText(/^Average of/).waitFor();
    const questions = questionsOf(page);
    const box = await boxOf(page);
    await page.mouse.move(box.x + box.width * 0.5, box.y + 80);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 80, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => questions.length).toBeGreaterThan(0);
    const closer = questions.at(-1) as Question;
    expect(closer.to - closer.from).toBeLessThan(HOUR);
    expect(closer.width).toBeGreaterThan(500);
    await page.getByText('Raw readings').waitFor();
    await expect.poll(() => page.url()).toContain('from=');
    const shown = new URL(page.url()).searchParams;
    expect(Date.parse(shown.get('to') ?? '') - Date.parse(shown.get('from') ?? '')).toBeGreaterThan(30 * MINUTE);
    expect(Date.parse(shown.get('to') ?? '') - Date.parse(shown.get('from') ?? '')).toBeLessThan(42 * MINUTE);
    // A reload shows the same range.
    await page.reload();
    await page.getByText('Raw readings').waitFor();
    await page.getByText('Paused').waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await page.getByText(/^Average of/).waitFor();

    const span = () => {
      const { searchParams } = new URL(page.url());
      return Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '');
    };
    const end = () => Date.parse(new URL(page.url()).searchParams.get('to') ?? '');
    await page.mouse.move(box.x + box.width / 2, box.y + 80);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -300);
    await page.keyboard.up('Control');
    await expect.poll(span).toBeLessThan(4.5 * HOUR);
    const before = end();
    await page.keyboard.down('Shift');
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.9, box.y + 80, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await expect.poll(end).toBeLessThan(before - HOUR);
    const shorter = span();
    await page.getByRole('group', { name: /^Chart/ }).focus();
    await page.keyboard.press('+');
    await expect.poll(span).toBeLessThan(shorter * 0.8);
    await page.getByRole('button', { name: 'Zoom out' }).click();
    await expect.poll(span).toBeGreaterThan(shorter * 1.2);
    await app.leave(page);
  });

  long('draws only lines while it is dragged, and everything afterwards', async () => {
    const restless = await createColdStore(app, 'Restless Store');
    await addHistory(app, restless.temperature, 6, 4, '-20 + 4 * random()');
    const page = await openTrend(pathOf(restless.temperature));
    await page.getByText(/^Average of/).waitFor();
    /** Counts the tinted pixels of the chart in each frame while the visible range moves. Returns the lowest count. */
    const tinted = (moves: number) =>
      page.evaluate(`(async () => {
        const over = document.querySelector('.u-over');
        const canvas = over.closest('.uplot').querySelector('canvas');
        const picture = () => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        const pixels = () => new Uint32Array(picture().buffer).filter((pixel) => pixel >>> 24 === 0x2e).length;
        const seen = [pixels()];
        for (let move = 0; move < ${moves}; move += 1) {
          over.dispatchEvent(new WheelEvent('wheel', { deltaY: move % 2 ? 1 : -1, ctrlKey: true, cancelable: true }));
          await new Promise(requestAnimationFrame);
          seen.push(pixels());
        }
        return Math.min(...seen);
      })()`) as Promise<number>;
    const many = 10_000;
    await expect.poll(() => tinted(0)).toBeGreaterThan(many);
    expect(await tinted(10)).toBeLessThan(many / 10);
    await expect.poll(() => tinted(0)).toBeGreaterThan(many);
    await app.leave(page);
  });

  test('has a cursor with all values, compares with an earlier period, gives each value its own axis, and is accessible in the dark', async () => {
    const other = await createColdStore(app, 'Third Store');
    const page = await openTrend(pathOf(store.temperature, store.current, other.temperature));
    const legend = page.getByRole('list', { name: 'Shown values' });
    const box = await boxOf(page);
    await page.mouse.move(box.x + box.width / 2, box.y + 40);
    await legend.getByText('30 A').waitFor();
    await expect.poll(() => legend.textContent()).toMatch(/−(19|20)[.\d]*\s°C/);
    const panels = page.getByRole('region', { name: 'Trend' }).locator('canvas');
    expect(await panels.count(), 'one for each unit').toBe(2);
    await page.getByRole('button', { name: 'Axes and comparison' }).click();
    await page.getByRole('menuitemradio', { name: 'A day earlier' }).click();
    await expect.poll(() => page.url()).toContain('compare=day');
    await legend.getByText('was 30 A').waitFor();
    await page.getByRole('menuitemradio', { name: 'One axis per value' }).click();
    await expect.poll(() => page.url()).toContain('axes=own');
    await expect.poll(() => panels.count(), { message: 'one for each value' }).toBe(3);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await app.leave(page);
  });

  test('follows live values, fills the screen and returns, and adds values of any site by search', async () => {
    const page = await openTrend(pathOf(store.current));
    await page.getByText('Live').waitFor();
    await speak(app, store.room, '2=44.5');
    await page.getByRole('list', { name: 'Shown values' }).getByText('44.5 A').waitFor();

    await page.getByRole('button', { name: 'Full screen' }).click();
    await page.getByRole('button', { name: 'Exit full screen' }).waitFor();
    const box = await page.getByRole('region', { name: 'Trend' }).boundingBox();
    expect(box?.y).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Full screen', exact: true }).waitFor();

    const other = await createColdStore(app, 'Second Store');
    await page.getByRole('button', { name: 'Add value' }).click();
    await page.getByLabel('Find a data point').fill('Second Temperature');
    await page
      .getByRole('group', { name: /^Second Store/ })
      .getByRole('button', { name: 'Temperature' })
      .click();
    await page.getByRole('list', { name: 'Shown values' }).getByText('Second Store').waitFor();
    const way = page.getByRole('navigation', { name: 'Breadcrumbs' });
    await way.getByRole('link', { name: 'Second Store' }).waitFor();
    expect(await way.getByRole('link').count()).toBe(3);
    await expect.poll(() => page.url()).toContain(other.temperature);
    await app.leave(page);
  });

  test('downloads values and a picture', async () => {
    const page = await openTrend(pathOf(store.current));
    const save = async (name: string) => {
      await page.getByRole('button', { name: 'Download' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name }).click(),
      ]);
      return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
    };
    const csv = await save('Values (CSV)');
    expect(csv.name).toMatch(/^trend-.*\.csv$/);
    const lines = csv.content.toString('utf8').replace('\ufeff', '').trim().split('\r\n');
    expect(lines[0]).toMatch(/^Time,Time \(UTC\),Asset \d+ Current \(A\)$/);
    // The file contains the readings of six hours, one every ten minutes, and the readings of later frames.
    expect(lines.length).toBeGreaterThan(34);
    expect(lines[1]).toMatch(/,2026-\d\d-\d\dT[\d:.]+Z,30$/);
    expect(lines.at(-1)).toMatch(/,44\.5$/);
    const png = await save('Picture (PNG)');
    expect(png.name).toMatch(/\.png$/);
    expect(png.content.subarray(1, 4).toString()).toBe('PNG');
    expect(png.content.readUInt32BE(16)).toBeGreaterThan(900);
    expect(await inkOf(page, png.content)).toBeGreaterThan(500);
    await app.leave(page);
  });
});

test('on a phone shows values on a tap, moves by one finger, zooms by two, and is accessible', async () => {
  const page = await openTrend(pathOf(store.temperature, store.current), { phone: true });
  await expectAccessible(page);
  const box = await boxOf(page);
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: number[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: xs.map((x, id) => ({ x: box.x + x, y: box.y + 40, id })),
    });
  const { width } = box;
  // Suppresses the mouse events after a tap, because some browsers do not send them.
  await page.evaluate(() => {
    const { document } = globalThis as any;
    const stop = (event: { stopPropagation(): void }) => event.stopPropagation();
    for (const type of ['mousemove', 'mousedown', 'mouseup']) document.addEventListener(type, stop, { capture: true });
  });
  await touch('touchStart', width * 0.5);
  await touch('touchEnd');
  // The test checks only the position of the cursor line, because the value at the cursor depends on where the gap in
  // the readings is.
  const line = page.locator('.u-cursor-x');
  await expect.poll(() => line.first().evaluate((element: any) => element.style.transform)).toMatch(/translate\(\d/);
  await touch('touchStart', width * 0.2);
  for (const share of [0.3, 0.5, 0.7]) await touch('touchMove', width * share);
  await touch('touchEnd');
  const parameter = (name: string) => Date.parse(new URL(page.url()).searchParams.get(name) ?? '');
  await expect.poll(() => app.clock.now().getTime() - parameter('to')).toBeGreaterThan(2 * HOUR);
  await touch('touchStart', width * 0.4, width * 0.6);
  for (const more of [0.05, 0.15, 0.25]) await touch('touchMove', width * (0.4 - more), width * (0.6 + more));
  await touch('touchEnd');
  await expect.poll(() => parameter('to') - parameter('from')).toBeLessThan(3 * HOUR);
  await app.leave(page);
});

long('is drawn if the browser names an invalid language', async () => {
  const page = await openTrend(pathOf(store.temperature));
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  const { identifier } = await session.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })`,
  });
  await page.reload();
  await chartOf(page).waitFor();
  expect(await page.evaluate(() => navigator.language)).toBe('en');
  expect(await page.evaluate(`Navigator.prototype.__lookupGetter__('language').call(navigator)`)).toBe('en-US@posix');
  await session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
  await app.leave(page);
});

/** Returns the number of pixels that are clearly darker than the background. */
function inkOf(page: Page, content: Buffer): Promise<number> {
  return page.evaluate(async (base64) => {
    const { createImageBitmap, OffscreenCanvas, atob, Blob } = globalThis as any;
    const bytes = Uint8Array.from(atob(base64) as string, (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    context.drawImage(picture, 0, 0);
    const { data } = context.getImageData(0, 0, picture.width, picture.height);
    let dark = 0;
    for (let index = 0; index < data.length; index += 4) if (data[index] < 120) dark += 1;
    return dark;
  }, content.toString('base64'));
}
