/** Steps that several admin tests share. */
import type { Locator, Page } from 'playwright-core';
import type { ConsoleApp } from '../../harness/browser/console.ts';
import { createSite, insertRow, type SiteRow, serviceQuery } from '../../harness/database/factories.ts';

/** Admin pages. Each entry is the last part of the page's address. */
export const adminPages = [
  'sites',
  'sensors',
  'sensor-log',
  'sensor-command',
  'assets',
  'datapoints',
  'rules',
  'maintenance',
  'on-call',
  'groups',
  'users',
  'alarm-default-message',
  'audits',
  'channels',
  'destinations',
  'company',
] as const;

type Name = string | RegExp;

/**
 * Returns helpers for the admin area. Each helper calls `window` to get the browser window, so the window may be opened
 * later.
 */
export function inWindow(window: () => Page) {
  const named = (name: Name) => ({ name, exact: typeof name === 'string' });
  // Finds panels by selector, because a search by role would scan the whole page in every step.
  const panel = (name: Name) =>
    typeof name === 'string'
      ? window().locator(`aside[aria-label=${JSON.stringify(name)}]`)
      : window().getByRole('complementary', named(name));
  const dialog = (name: Name) => window().getByRole('dialog', { name });
  return {
    /** Returns the side panel with this name. */
    panel,
    dialog,
    toast: (words: Name) => window().getByRole('status').filter({ hasText: words }),
    row: (text: Name) => window().locator('tr[data-row]').filter({ hasText: text }),
    button: (name: Name) => window().getByRole('button', named(name)),
    /** Presses a button of a panel or dialog. The default button is Save. */
    save: (within: Locator | Page, name: Name = 'Save') => within.getByRole('button', named(name)).click(),
    /** Returns the text beside the copy button with this label. */
    code: async (label: string) =>
      (await window()
        .locator('div', { has: window().getByRole('button', { name: `Copy: ${label}` }) })
        .last()
        .locator('code')
        .textContent()) ?? '',
    /** Presses a button of the confirmation dialog. */
    confirm: (name: string) => window().getByRole('dialog').getByRole('button', { name, exact: true }).click(),
    /** Cancels a form and discards its unsaved changes. */
    async abandon(form: Locator): Promise<void> {
      await form.getByRole('button', { name: 'Cancel' }).click();
      await dialog('Leave without saving?').getByRole('button', { name: 'Leave without saving' }).click();
      await form.waitFor({ state: 'detached' });
    },
    /** Types into a picker and chooses an option. */
    async pick(within: Locator | Page, label: string, text: string, option: Name): Promise<void> {
      await within.getByRole('combobox', named(label)).click();
      await within.getByRole('combobox', named(label)).fill(text);
      // The options of a native select also have this role, but no attribute.
      await window().getByRole('option', named(option)).and(window().locator('[role=option]')).click();
    },
  };
}

/** Returns the rows of the table that belong to the test's customer and have these column values. */
export async function stored<R extends object = any>(
  app: ConsoleApp,
  table: string,
  columns: Readonly<Record<string, unknown>>,
): Promise<R[]> {
  const wanted = Object.entries({ ...columns, tocsin_customer_uuid: app.people.customer.uuid });
  const condition = wanted.map(([name], index) => `${name} = $${index + 1}`).join(' and ');
  return serviceQuery<R>(
    app.db,
    `select * from tocsin.${table} where ${condition}`,
    wanted.map(([, value]) => value),
  );
}

export const plantSite = (app: ConsoleApp, name: string, siteId: string): Promise<SiteRow> =>
  createSite(app.db, { customer: app.people.customer, name, siteId });

export const plantAsset = (app: ConsoleApp, site: SiteRow, name: string): Promise<{ uuid: string }> =>
  insertRow(app.db, 'tocsin.asset', {
    tocsin_customer_uuid: site.tocsin_customer_uuid,
    tocsin_site_uuid: site.uuid,
    name,
  });

/** Sends a frame over HTTP, as a device would. Returns the status code. */
export async function sendByHttp(app: ConsoleApp, uid: string, token: string, body: string): Promise<number> {
  const answer = await fetch(`${app.url}/api/v1/ingest/${uid}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
    body,
  });
  await answer.text();
  return answer.status;
}
