/** The notice that owners see after a jump of the server's clock. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { TEST_BEGINS } from '../../harness/database/embedded.ts';
import { TurnedClock } from '../../harness/server/turned-clock.ts';

const HOUR = 3_600_000;
const clock = new TurnedClock(TEST_BEGINS);
let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole({ clock });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

test('owners see that the server clock jumped, by how much, and what to do; managers do not', async () => {
  const open = (as: ConsoleApp['people']['owner']) => app.open('/', { as, time: clock.now() });
  clock.hand.step(2 * HOUR);
  await app.clockWatch?.tick();
  const page = await open(app.people.owner);
  const notice = page.getByRole('status', { name: 'Server clock' });
  await notice.getByText('The server’s clock jumped 2 hours ahead at').waitFor();
  await notice.getByText('Tocsin’s time is 2 hours behind the server’s clock.').waitFor();
  await notice.getByText('Check the server’s clock, then restart Tocsin.').waitFor();

  clock.hand.step(-2 * HOUR);
  await app.clockWatch?.tick();
  await page.reload();
  await notice.getByText('The server’s clock jumped 2 hours back at').waitFor();
  await notice.getByText('Tocsin’s time and the server’s clock agree again.').waitFor();
  const managers = await open(app.people.manager);
  await managers.getByRole('main').waitFor();
  expect(await managers.getByRole('status', { name: 'Server clock' }).count()).toBe(0);
});
