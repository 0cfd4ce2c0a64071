import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../harness/console.ts';
import { createSite, type SiteRow, type UserRow } from '../harness/factories.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
  owners = pair(app.people.owner);
  let lastSite: SiteRow | undefined;
  for (let number = 1; number <= 60; number += 1) {
    lastSite = await createSite(app.db, {
      customer: app.people.customer,
      name: `Pump station ${number}`,
      siteId: `PS-${String(number).padStart(4, '0')}`,
    });
  }
  const owner = await app.browser(app.people.owner);
  for (const resolvedDate of [null, '2026-03-02T07:30:00Z'])
    await owner.data('mutation ($alarm: AlarmInput!) { createAlarm(input: { alarm: $alarm }) { alarm { uuid } } }', {
      alarm: {
        message: 'Pump tripped',
        tocsinSiteUuid: lastSite?.uuid,
        dateTime: '2026-03-02T07:00:00Z',
        resolvedDate,
      },
    });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const pages = [
  '/dashboard',
  '/dashboard/alarms',
  '/reports',
  '/reports/health',
  '/reports/sms',
  '/reports/acknowledgements',
  '/reports/alarms',
  '/admin/sites',
  '/admin/sensors',
  '/admin/sensor-log',
  '/admin/sensor-command',
  '/admin/assets',
  '/admin/datapoints',
  '/admin/rules',
  '/admin/groups',
  '/admin/users',
  '/admin/alarm-default-message',
  '/admin/audits',
];

/** What axe finds serious or critical, as `rule: element`. */
async function problemsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const violations = await page.evaluate(
    async () => (await (globalThis as any).axe.run({ resultTypes: ['violations'] })).violations,
  );
  return violations
    .filter(({ impact }: any) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }: any) => nodes.slice(0, 3).map((node: any) => `${id}: ${node.html.slice(0, 160)}`));
}

const hasSidewaysScroll = (page: Page) => page.evaluate('document.documentElement.scrollWidth > window.innerWidth + 1');

async function settled(page: Page): Promise<void> {
  await page.getByRole('main').first().waitFor();
  await page.waitForLoadState('networkidle');
}

async function expectGoodLooks(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
  expect(await problemsOn(page)).toEqual([]);
  expect(await hasSidewaysScroll(page)).toBe(false);
}

/** A wide light window and a dark phone, kept open from page to page. */
const pair = (as?: UserRow) => {
  let windows: Promise<Page[]> | undefined;
  return () => {
    const person = as ?? undefined;
    windows ??= Promise.all(
      [{}, { dark: true, phone: true }].map((variant) =>
        app.open('/error/4xx', { ...(person && { as: person }), ...variant }),
      ),
    );
    return windows;
  };
};
const visitors = pair();
let owners: ReturnType<typeof pair>;

describe('every page is accessible, fits a phone and has no serious problem', () => {
  test.each(['/auth/login', '/auth/forgot', '/auth/activation', '/auth/verify', '/error/4xx', '/error/5xx'])(
    '%s',
    async (path) => {
      await Promise.all((await visitors()).map((page) => expectGoodLooks(page, path)));
    },
  );

  test.each(pages)('%s', async (path) => {
    await Promise.all((await owners()).map((page) => expectGoodLooks(page, path)));
  });
});

test('the list of sites is real: search, order and page are in the address', async () => {
  const page = await app.open('/admin/sites', { as: app.people.owner });
  await page.getByText('Pump station 1', { exact: true }).waitFor();
  await page.getByText(/1 to 50 of 60/).waitFor();
  await page.getByRole('button', { name: /next/i }).click();
  await page.getByText(/51 to 60 of 60/).waitFor();
  expect(page.url()).toContain('page=2');
  await page.getByRole('searchbox').or(page.getByPlaceholder(/name/i)).first().fill('station 33');
  await page.getByText(/1 to 1 of 1/).waitFor();
  await page.reload();
  await page.getByText(/1 to 1 of 1/).waitFor();
  await page.context().close();
});
