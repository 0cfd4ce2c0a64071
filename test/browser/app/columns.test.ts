/** No column of a list or report is cut off on a tablet or a small laptop. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { createSite, createUser, insertRow } from '../../harness/database/factories.ts';
import { createSensor } from '../../harness/device/devices.ts';
import { adminPages } from '../support/admin.ts';
import { createWell, flood } from '../support/alarm-plant.ts';

const LONG = 'Northern interceptor sewer pumping station, second stage';
const reports = [
  '',
  'health',
  'health?by=site',
  'sms',
  'sms?by=site',
  'delivery',
  'alarms',
  'acknowledgements',
  'acknowledgements?by=site',
];
const ruleTabs = ['', '?tab=conditions', '?tab=alerts', '?tab=reasons', '?tab=actions'];

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
  const { customer, operator } = app.people;
  const own = { tocsin_customer_uuid: customer.uuid };
  await insertRow(app.db, 'tocsin.group', { ...own, level: 5, name: 'Upper Wharfedale and Craven' });
  const site = await createSite(app.db, { customer, name: LONG, siteId: 'PS-0070-SECOND-STAGE' });
  await createSensor(app.db, { customer, site, channels: [{ name: 'Level of the second wet well' }] });
  await createUser(app.db, { customer, level: 30, displayName: 'Alexandra Featherstonehaugh-Cholmondeley' });
  const well = await createWell(app, 'Eller Brook', {
    ruleName: 'Level of the wet well too high',
    told: [operator],
    reasons: ['Storm'],
  });
  await flood(app, well);
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

/**
 * Returns the cut-off parts of visible tables. A column may extend beyond its frame only if the frame shows that its
 * content can be scrolled. Text that does not fit must end with an ellipsis and have a tooltip, or be in a scrollable
 * cell.
 */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { document, innerWidth, getComputedStyle } = globalThis as any;
    const found: string[] = [];
    const scrollerOf = (element: any): any => {
      for (let box = element.parentElement; box; box = box.parentElement)
        if (/auto|scroll/.test(getComputedStyle(box).overflowX)) return box;
      return null;
    };
    const ellipsis = (element: any): boolean => getComputedStyle(element).textOverflow === 'ellipsis';
    for (const table of document.querySelectorAll('main table')) {
      if (table.getBoundingClientRect().width === 0) continue;
      const name = table.getAttribute('aria-label') ?? table.caption?.textContent ?? 'table';
      const frame = scrollerOf(table);
      const right = Math.min(frame ? frame.getBoundingClientRect().right : innerWidth, innerWidth);
      const scrolls = frame !== null && frame.scrollWidth > frame.clientWidth + 1;
      const showsIt = scrolls && frame.hasAttribute('data-scrolls-on');
      for (const head of table.querySelectorAll('thead th')) {
        const box = head.getBoundingClientRect();
        if (box.width < 2) continue;
        if (box.right > right + 1 && !showsIt) found.push(`${name}: column ${head.textContent} ends outside`);
        if (head.scrollWidth > head.clientWidth + 1 && !ellipsis(head))
          found.push(`${name}: head ${head.textContent} is cut`);
      }
      for (const row of [...table.querySelectorAll('tbody tr')].slice(0, 5)) {
        for (const cell of row.querySelectorAll('td, th')) {
          for (const part of [cell, ...cell.querySelectorAll('*')]) {
            if (part.closest('svg') || part.tagName === 'INPUT' || part.clientWidth === 0) continue;
            if (part.scrollWidth <= part.clientWidth + 1 || getComputedStyle(part).overflowX === 'visible') continue;
            if (!ellipsis(part) && scrollerOf(part) === frame)
              found.push(`${name}: “${part.textContent.slice(0, 40)}” is cut`);
          }
        }
      }
    }
    return [...new Set(found)];
  });
}

for (const width of [820, 1366]) {
  test(`every column is visible or in an area that visibly scrolls, ${width} px wide`, async () => {
    const page = await app.open('/reports', {
      as: app.people.owner,
      prepare: (tab) => tab.setViewportSize({ width, height: 900 }),
    });
    const paths = [
      ...adminPages.filter((name) => name !== 'rules').map((name) => `/admin/${name}`),
      ...ruleTabs.map((tab) => `/admin/rules${tab}`),
      ...reports.map((name) => `/reports${name && `/${name}`}`),
      '/dashboard',
      '/dashboard?view=list',
      '/dashboard/alarms',
      '/dashboard/alarms?show=past',
      '/dashboard/my-work',
    ];
    const cut: Record<string, string[]> = {};
    for (const path of paths) {
      await goTo(page, path);
      const found = await cutOff(page);
      if (found.length > 0) cut[path] = found;
    }
    expect(cut).toEqual({});
    await app.leave(page);
  });
}
