/**
 * Tests the console for each role, with one test per role. web/routes/router.test.ts checks which roles can open each
 * page, and test/api/levels.db.test.ts checks the API.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildStation, openAlarm } from '../../api/pumps.ts';
import { type ConsoleApp, signInByForm, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { linkUser } from '../../harness/database/factories.ts';
import { narrow } from '../support/accessible.ts';

type Role = 'owner' | 'manager' | 'operator' | 'partner';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
  const { customer, operator } = app.people;
  const [linked, other] = [await buildStation(app.db, customer), await buildStation(app.db, customer)];
  await linkUser(app.db, operator, linked.site);
  for (const station of [linked, other])
    await openAlarm(app.db, station, { message: `Flood at ${station.site.name}`, at: '2026-03-02T07:00:00Z' });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const places1to9 = [
  'Sites',
  'Sensor List',
  'Sensor-log',
  'Sensor-Command',
  'Assets',
  'Data Points',
  'Rules & Alerts',
  'Groups',
  'Users',
  'Alarm Default Message',
];

const withMaintenance = places1to9.flatMap((name) =>
  name === 'Rules & Alerts' ? [name, 'Maintenance', 'On call'] : [name],
);

interface Menus {
  userLevel: string;
  header: string[];
  sidebar: string[];
  /** Pages to which a signed-in user is redirected from the empty path and from the login page. */
  arrives: [empty: string, login: string];
}

const menus: Record<Role, Menus> = {
  owner: {
    userLevel: '-10',
    header: ['Dashboard', 'Reports', 'Admin'],
    sidebar: [...withMaintenance, 'Audit Trail', 'Senders', 'Destinations', 'Company', 'System'],
    arrives: ['/dashboard', '/reports'],
  },
  manager: {
    userLevel: '-5',
    header: ['Dashboard', 'Reports', 'Admin'],
    sidebar: [...withMaintenance, 'Senders', 'Destinations'],
    arrives: ['/dashboard', '/reports'],
  },
  operator: {
    userLevel: '10',
    header: ['Dashboard', 'Reports'],
    sidebar: [],
    arrives: ['/dashboard', '/reports'],
  },
  partner: {
    userLevel: '-5',
    header: ['Dashboard', 'Reports', 'Admin'],
    sidebar: places1to9.filter((name) => name !== 'Assets'),
    arrives: ['/admin/sites', '/admin/sites'],
  },
};

const noAdmin = 'Only owners and managers can open the admin area';
const notYours = 'You do not have access to this page';
const ownersKeepIt = 'Only owners can edit the company';
const ownersRead = 'Only owners can view the audit trail';
const noPlant = 'Partner accounts cannot view alarms and reports';
const refusals = [noAdmin, notYours, ownersKeepIt, ownersRead, noPlant];

/** Checks the start page, the header and the admin area. Afterwards, the page shows the list of sites. */
async function expectMenus(page: Page, role: Role): Promise<void> {
  const { userLevel, header, sidebar, arrives } = menus[role];
  for (const [index, path] of ['/', '/auth/login'].entries()) {
    await goTo(page, path);
    expect(new URL(page.url()).pathname, path).toBe(arrives[index]);
    expect(await refusedWith(page)).toEqual([]);
  }
  await goTo(page, '/admin/sites');
  expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents()).toEqual(header);
  const admin = page.getByRole('navigation', { name: 'Admin' });
  expect(await admin.getByRole('link').allTextContents()).toEqual(sidebar);
  expect(await page.evaluate("localStorage.getItem('userlevel')")).toBe(userLevel);
}

async function refusedWith(page: Page): Promise<string[]> {
  const words = (await page.getByRole('main').textContent()) ?? '';
  return refusals.filter((refusal) => words.includes(refusal));
}

/** Opens each page and returns the refusals that the page shows. */
async function refusalsOn(page: Page, paths: readonly string[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const path of paths) {
    await goTo(page, path);
    expect(new URL(page.url()).pathname).toBe(path);
    found[path] = await refusedWith(page);
  }
  return found;
}

const each = (paths: readonly string[], refusal: string) => Object.fromEntries(paths.map((path) => [path, [refusal]]));

/** Returns the roles of the users in the list. Identifies each user by e-mail address. */
async function listed(page: Page): Promise<Role[]> {
  await goTo(page, '/admin/users');
  await page.locator('tr[data-row]').first().waitFor();
  const text = (await page.locator('tr[data-row]').allTextContents()).join(' ');
  return (['owner', 'manager', 'operator', 'partner'] as const).filter((role) => text.includes(app.people[role].email));
}

describe('each role has its own links in the header and in the admin area', () => {
  test('an owner has every link and page, and finds everybody except themself', async () => {
    const page = await app.visit('/reports', { as: app.people.owner });
    await expectMenus(page, 'owner');
    expect(await refusalsOn(page, ['/admin/audits', '/admin/company'])).toEqual({
      '/admin/audits': [],
      '/admin/company': [],
    });
    expect(await listed(page)).toEqual(['manager', 'operator', 'partner']);
    await app.leave(page);
  });

  test('a manager has neither audit trail nor company, and finds people with a higher level number', async () => {
    const page = await app.visit('/reports', { as: app.people.manager });
    await expectMenus(page, 'manager');
    expect(await refusalsOn(page, ['/admin/audits', '/admin/company'])).toEqual({
      '/admin/audits': [ownersRead],
      '/admin/company': [ownersKeepIt],
    });
    expect(await listed(page)).toEqual(['operator']);
    await app.leave(page);
  });

  test('an operator has no admin area, is told who can help, and handles alarms of linked sites only', async () => {
    const page = await app.visit('/reports', { as: app.people.operator });
    await expectMenus(page, 'operator');
    await page.getByText('Ask an owner or a manager to make the change').waitFor();
    const closed = ['/admin/sites', '/admin/assets', '/admin/audits'];
    expect(await refusalsOn(page, closed)).toEqual(each(closed, noAdmin));
    expect(await page.getByRole('navigation', { name: 'Admin' }).count()).toBe(0);
    // On a phone, each alarm in the list has its own Acknowledge button.
    await page.setViewportSize(narrow);
    await goTo(page, '/dashboard/alarms');
    expect(await page.getByRole('button', { name: 'Acknowledge Flood at' }).count()).toBe(1);
    await app.leave(page);
  });

  test('a partner account manages sites and sensors, and is redirected from all other pages', async () => {
    const page = await app.open('/auth/login');
    await signInByForm(page, app.people.partner.email);
    await page.waitForURL('**/admin/sites');
    expect(await refusedWith(page)).toEqual([]);
    await expectMenus(page, 'partner');

    const plant = [
      '/dashboard',
      '/dashboard/alarms',
      '/dashboard/my-work',
      '/dashboard/trend',
      '/reports',
      '/reports/health',
      '/reports/sms',
      '/reports/acknowledgements',
      '/reports/alarms',
      '/reports/delivery',
    ];
    expect(await refusalsOn(page, plant)).toEqual(each(plant, noPlant));
    for (const [path, title] of [
      ['/reports', 'Reports'],
      ['/reports/alarms', 'Alarm report'],
    ] as const) {
      await goTo(page, path);
      expect(await page.title(), 'title of the browser tab').toBe(`${title} · Tocsin`);
    }
    expect(await refusalsOn(page, ['/admin/audits', '/admin/company', '/admin/rules'])).toEqual({
      '/admin/audits': [ownersRead],
      '/admin/company': [ownersKeepIt],
      '/admin/rules': [notYours],
    });
    await page.getByRole('main').getByRole('link').click();
    await page.waitForURL('**/admin/sites');
    await page.getByRole('searchbox').or(page.getByPlaceholder(/name/i)).first().waitFor();

    const buttons: Record<string, number> = {};
    for (const [path, name] of [
      ['/admin/sites', 'New site'],
      ['/admin/sensors', 'New sensor'],
      ['/admin/sensor-command', 'New command'],
      ['/admin/groups', 'New group'],
    ] as const) {
      await goTo(page, path);
      expect(await refusedWith(page), path).toEqual([]);
      buttons[name] = await page.getByRole('main').getByRole('button', { name, exact: true }).count();
    }
    expect(buttons).toEqual({ 'New site': 1, 'New sensor': 1, 'New command': expect.any(Number), 'New group': 0 });
    expect(buttons['New command']).toBeGreaterThan(0);
    await app.leave(page);
  });
});
