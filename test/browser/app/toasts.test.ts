import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, signInByForm, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { createSite } from '../../harness/database/factories.ts';
import { isLong, long } from '../../harness/long.ts';
import { report } from '../support/alarm-plant.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

test('a toast is at the top right for 5 seconds, longer under the mouse, is not repeated, and closes by a tap or its button', async () => {
  // Installs a simulated clock in the page, which the test advances.
  const page = await app.open('/auth/login', { prepare: (tab) => tab.clock.install() });
  const toast = page.getByRole('alert');
  const provoke = async () => {
    await page.mouse.move(700, 850);
    await signInByForm(page, 'nobody@plant.example', 'wrong password');
    await toast.waitFor();
  };
  await provoke();
  const box = (await toast.boundingBox())!;
  expect(box.y).toBeLessThan(100);
  expect(1440 - (box.x + box.width)).toBeLessThan(40);
  await page.clock.fastForward(300);
  await page.clock.fastForward(4500);
  expect(await toast.count()).toBe(1);
  await page.clock.fastForward(600);
  await page.clock.fastForward(400);
  await toast.waitFor({ state: 'detached' });

  // The toast disappears one second after the mouse pointer leaves it.
  await provoke();
  await toast.hover();
  await page.clock.fastForward(20_000);
  expect(await toast.count()).toBe(1);
  await page.mouse.move(700, 850);
  await page.clock.fastForward(800);
  expect(await toast.count()).toBe(1);
  await page.clock.fastForward(300);
  await page.clock.fastForward(400);
  await toast.waitFor({ state: 'detached' });

  await provoke();
  const answered = page.waitForResponse('**/api/v1/auth/login');
  await signInByForm(page, 'nobody@plant.example', 'wrong password');
  await answered;
  expect(await toast.count()).toBe(1);
  await toast.click();
  await page.clock.fastForward(400);
  await toast.waitFor({ state: 'detached' });

  await provoke();
  await page.getByRole('button', { name: 'Close message' }).click();
  await page.clock.fastForward(400);
  await toast.waitFor({ state: 'detached' });
  await app.leave(page);
});

describe('inside the console', () => {
  const stayForever = `{
    const start = globalThis.setTimeout;
    globalThis.setTimeout = (work, after, ...rest) => ([5000, 1000].includes(after) ? 0 : start(work, after, ...rest));
  }`;

  /** Opens a page with an error toast that stays: the sign-out request fails, and the toast's timers never fire. */
  async function withTrouble(path: string, phone: boolean, width?: number): Promise<Page> {
    const prepare = width ? (tab: Page) => tab.setViewportSize({ width, height: 800 }) : undefined;
    const page = await app.open(path, { as: app.people.owner, phone, ...(prepare && { prepare }) });
    await page.evaluate(stayForever);
    await page.route('**/api/v1/auth/logout', (route) => route.abort());
    await page.getByRole('button', { name: phone ? 'More' : /^User menu/ }).click();
    const before = troubles.length;
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.getByRole('alert').waitFor();
    troubles.splice(before);
    return page;
  }

  const boxOf = async (locator: Locator) => (await locator.boundingBox())!;

  /** Returns whether two elements overlap. */
  async function meet(one: Locator, other: Locator): Promise<boolean> {
    const [a, b] = [await boxOf(one), await boxOf(other)];
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  }

  long('is below the header and the page’s buttons, and beside an open alarm', async () => {
    const site = await createSite(app.db, { customer: app.people.customer, name: 'Quay Street' });
    const alarm = await report(app, site, 'Pump tripped');
    const page = await withTrouble(`/dashboard/alarms?alarm=${alarm}`, false);
    const toast = page.getByRole('alert');
    expect(await meet(toast, page.getByRole('banner'))).toBe(false);
    await expect.poll(() => meet(toast, page.getByRole('button', { name: 'Filters' }))).toBe(false);
    await page.getByLabel('Alarm', { exact: true }).getByRole('heading', { name: 'Pump tripped' }).waitFor();
    await expect.poll(() => meet(toast, page.getByLabel('Alarm', { exact: true }))).toBe(false);
    // The toast stays visible when the user opens another page.
    await goTo(page, `/dashboard/alarms/${alarm}`);
    await expect.poll(() => meet(toast, page.getByRole('button', { name: 'Resolve' }))).toBe(false);
    await app.leave(page);
  });

  long('is above the tabs on a phone, and over no button of a panel', async () => {
    const page = await withTrouble('/dashboard/alarms', true);
    const toast = page.getByRole('alert');
    const tabs = page.getByRole('navigation', { name: 'Main' });
    // The sheet with the Sign out button is still closing, so the test polls the toast's position.
    await expect.poll(async () => (await boxOf(toast)).y).toBeGreaterThan(300);
    expect(await meet(toast, tabs)).toBe(false);
    expect(await meet(toast, page.getByRole('banner'))).toBe(false);
    await page.getByRole('button', { name: 'Select', exact: true }).tap();
    await page.getByRole('checkbox', { name: 'Select Pump tripped, Quay Street' }).tap();
    expect(await meet(toast, page.getByRole('region', { name: 'Selected alarms' }))).toBe(false);
    await page.getByRole('button', { name: 'Acknowledge', exact: true }).tap();
    const dialog = page.getByRole('dialog', { name: 'Acknowledge alarm' });
    await dialog.getByLabel('Reason').waitFor();
    await expect.poll(() => meet(toast, dialog)).toBe(false);
    await app.leave(page);
  });

  /** Returns the controls that the toast covers: those of the page, a panel or a dialog. */
  async function coveredControls(page: Page): Promise<string[]> {
    return page.evaluate(async () => {
      const { document, innerWidth, innerHeight } = globalThis as any;
      const toasts = document.querySelector('[data-floating]');
      const covers = (control: any) => {
        const box = control.getBoundingClientRect();
        const own = toasts.getBoundingClientRect();
        const [left, right] = [Math.max(box.left, own.left, 0), Math.min(box.right, own.right, innerWidth)];
        const [top, bottom] = [Math.max(box.top, own.top, 0), Math.min(box.bottom, own.bottom, innerHeight)];
        if (right - left < 1 || bottom - top < 1) return false;
        const [first] = document
          .elementsFromPoint((left + right) / 2, (top + bottom) / 2)
          .filter((element: any) => !toasts.contains(element));
        return first !== undefined && (control.contains(first) || first.contains(control));
      };
      const settle = () => new Promise((resolve) => setTimeout(resolve, 200));
      const found: string[] = [];
      for (const control of document.querySelectorAll('a[href], button, input, select, textarea, summary')) {
        if (toasts.contains(control) || !covers(control)) continue;
        // Scrolls the page until the toast no longer covers the control. Every page has enough empty space at its end
        // for this.
        control.scrollIntoView({ block: 'center' });
        await settle();
        if (covers(control)) found.push(control.getAttribute('aria-label') ?? control.textContent ?? control.name);
      }
      return found;
    });
  }

  long('never covers a fixed control of a panel, at any height and scroll position', async () => {
    const site = await createSite(app.db, { customer: app.people.customer, name: 'Narrow quay' });
    const page = await withTrouble('/admin/sites', true, 390);
    await goTo(page, `/admin/sites?record=${site.uuid}`);
    const form = page.getByRole('complementary', { name: 'Narrow quay' });
    await form.getByLabel('Site ID').waitFor();
    const buttons = ['Close', 'Delete', 'Cancel', 'Save'].map((name) => form.getByRole('button', { name }));
    const fixed = [...buttons, form.getByRole('tab', { name: 'Details' }), form.getByRole('tab', { name: 'Health' })];
    const covered = async () => {
      const names = [];
      for (const control of fixed) if (await meet(page.getByRole('alert'), control)) names.push(String(control));
      return names;
    };
    for (const height of [480, 560, 640, 720, 800, 900]) {
      await page.setViewportSize({ width: 390, height });
      for (const part of [0, 0.25, 0.5, 0.75, 1]) {
        await form.getByLabel('Site ID').evaluate((field: any, at) => {
          let body = field;
          while (
            body.scrollHeight <= body.clientHeight ||
            (globalThis as any).getComputedStyle(body).overflowY !== 'auto'
          )
            body = body.parentElement;
          body.scrollTop = at * (body.scrollHeight - body.clientHeight);
        }, part);
        await expect.poll(covered, { message: `${height} px high, scrolled by ${part}`, timeout: 5000 }).toEqual([]);
      }
    }
    await app.leave(page);
  });

  for (const width of isLong ? [390, 820, 1366] : [390]) {
    test(`covers no control of a page, panel or dialog ${width} px wide`, async () => {
      const { customer } = app.people;
      const site = await createSite(app.db, { customer, name: `Toast quay ${width}` });
      for (let number = 1; number <= 20; number += 1) await createSite(app.db, { customer });
      const alarm = await report(app, site, 'Pump tripped');
      const page = await withTrouble('/admin/sites', width < 768, width);
      const paths = [
        '/admin/sites',
        `/admin/sites?record=${site.uuid}`,
        '/admin/rules',
        '/admin/sensor-log',
        '/admin/company',
        '/dashboard',
        `/dashboard/site/${site.uuid}`,
        '/dashboard/alarms',
        `/dashboard/alarms/${alarm}`,
        '/reports',
        '/reports/health',
        '/reports/sms',
        '/reports/alarms',
      ];
      const covered: Record<string, string[]> = {};
      for (const path of paths) {
        await goTo(page, path);
        await expect
          .poll(async () => (covered[path] = await coveredControls(page)), { timeout: 5000 })
          .toEqual([])
          .catch(() => {});
      }
      expect(Object.entries(covered).filter(([, controls]) => controls.length > 0)).toEqual([]);
      await goTo(page, `/admin/sites?record=${site.uuid}`);
      await page.locator('[data-panel]').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).waitFor();
      await expect.poll(() => coveredControls(page)).toEqual([]);
      await app.leave(page);
    });
  }
});
