/**
 * The open dashboard receives values through one subscription and does not poll. When an alarm changes, the dashboard
 * reorders the sites.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { board, states } from '../../harness/browser/board.ts';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { serviceQuery } from '../../harness/database/factories.ts';
import { long } from '../../harness/long.ts';
import { report, settle } from '../support/alarm-plant.ts';
import { type ColdStore, createColdStore, speak } from '../support/site-plant.ts';

let app: ConsoleApp;
let store: ColdStore;
beforeAll(async () => {
  app = await startConsole();
  store = await createColdStore(app, 'Board Store');
  await speak(app, store.room, '1=-20.5 2=31');
  await settle(app);
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

/**
 * Opens a page and records all live messages and queries that the page sends. Calls `prepare` before the page loads.
 */
async function openWatched(
  path: string,
  prepare: (page: Page, hearsAlarms: Promise<unknown>) => Promise<void> = async () => {},
): Promise<{ page: Page; sent: string[]; asked: string[] }> {
  const sent: string[] = [];
  const asked: string[] = [];
  const page = await app.open('/error/4xx', { as: app.people.owner });
  const socket = page.waitForEvent('websocket', (one) => one.url().endsWith('/graphql'));
  const hears = async (word: string) =>
    (await socket).waitForEvent('framereceived', ({ payload }) => String(payload).includes(word));
  const [isLive, hearsAlarms] = [hears('datapoints'), hears('alarmNews')];
  void socket.then((one) => one.on('framesent', ({ payload }) => sent.push(String(payload))));
  page.on('request', (request) => {
    const name = /query (\w+)/.exec(request.postData() ?? '')?.[1];
    if (name) asked.push(name);
  });
  await prepare(page, hearsAlarms);
  await page.goto(path);
  await isLive;
  return { page, sent, asked };
}

/** Delays the dashboard's code until the alarm subscription has started. */
async function codeAfterNews(page: Page, hearsAlarms: Promise<unknown>): Promise<void> {
  await page.clock.install();
  await page.route('**/DashboardPage-*.js', async (route) => {
    await hearsAlarms;
    await route.continue();
  });
}

const tile = (page: Page, name: string) => board(page).getByRole('link', { name });

test('the board shows a device’s value at once by one subscription, moves a site to the front when its alarm opens, and filters by state', async () => {
  const hot = await createColdStore(app, 'Board Hot');
  await speak(app, hot.room, '1=-20');
  await settle(app);
  const { page, sent, asked } = await openWatched('/dashboard', codeAfterNews);
  await tile(page, 'Board Store').getByText('−20.5').waitFor();
  // The page subscribed before its first query, so it needs no second query.
  await page.clock.fastForward(5_000);
  await page.clock.resume();
  for (const name of ['SiteBoard', 'OpenAlarmCounts', 'DeliveryProblems']) {
    expect(
      asked.filter((one) => one === name),
      name,
    ).toHaveLength(1);
  }
  const before = asked.length;
  await speak(app, store.room, '1=-21.75 2=30');
  await tile(page, 'Board Store').getByText('−21.75').waitFor();
  expect(asked.slice(before).filter((name) => name === 'SiteBoard')).toEqual([]);
  const subscribed = sent.filter((text) => text.includes('"subscribe"') && text.includes('LivePlant'));
  expect(subscribed).toHaveLength(1);

  const first = board(page).getByRole('listitem').first();
  expect(await tile(page, 'Board Hot').getAttribute('data-state')).toBe('normal');
  await speak(app, hot.room, '1=-11.5');
  await settle(app);
  await expect.poll(() => tile(page, 'Board Hot').getAttribute('data-state')).toBe('critical');
  await first.getByRole('heading', { name: 'Board Hot' }).waitFor();

  // Each filter button shows a count, and the URL contains the selected state.
  await states(page).getByText('No alarm').click();
  await tile(page, 'Board Hot').waitFor({ state: 'detached' });
  expect(await tile(page, 'Board Store').getAttribute('data-state')).toBe('normal');
  expect(new URL(page.url()).searchParams.get('state')).toBe('normal');
  await page.reload();
  await tile(page, 'Board Store').waitFor();
  expect(await tile(page, 'Board Hot').count()).toBe(0);
  expect(await states(page).last().getAttribute('aria-pressed')).toBe('true');
  const numbers = (await states(page).allTextContents()).map((text) => Number(/\d+$/.exec(text)?.[0]));
  expect(numbers.slice(1).reduce((sum, count) => sum + count, 0)).toBe(numbers[0]);
  // Pressing the selected filter button again shows all sites.
  await states(page).last().click();
  await tile(page, 'Board Hot').waitFor();
  await app.leave(page);
});

test('queries the sites again if it subscribed after the first query, so that it misses no change', async () => {
  const { page, asked } = await openWatched('/dashboard', async (watched) => {
    const isAnswered = watched.waitForResponse((answer) => answer.request().postData()?.includes('SiteBoard') ?? false);
    await watched.routeWebSocket('**/graphql', async (socket) => {
      await isAnswered;
      socket.connectToServer();
    });
  });
  await expect.poll(() => asked.filter((name) => name === 'SiteBoard').length).toBe(2);
  await app.leave(page);
});

long('the list view follows live values too, and survives the deletion of a shown data point', async () => {
  const gone = await createColdStore(app, 'Board Gone');
  await speak(app, gone.room, '1=-19 2=3');
  await settle(app);
  const { page } = await openWatched('/dashboard?view=list');
  const row = page.getByRole('row', { name: /Board Store/ });
  await row.waitFor();
  await speak(app, store.room, '1=-22.25 2=29');
  await row.getByText('−22.25').waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  const name = row.getByRole('cell').filter({ has: page.getByRole('link', { name: 'Board Store' }) });
  expect((await name.boundingBox())?.width).toBeGreaterThan(100);
  await page.setViewportSize({ width: 1440, height: 900 });

  await goTo(page, '/dashboard?q=board+gone');
  await tile(page, 'Board Gone').getByText('−19').waitFor();
  await serviceQuery(app.db, 'delete from tocsin.asset_datapoint where uuid = $1', [gone.temperature]);
  await speak(app, gone.room, '2=4');
  await settle(app);
  // When an alarm opens, the page queries its data again without a reload.
  await report(app, gone.site, 'Look here');
  await tile(page, 'Board Gone').getByText('Look here').waitFor();
  await tile(page, 'Board Gone').getByText('4 A').waitFor();
  await app.leave(page);
});
