import type { Locator, Page } from 'playwright-core';

/** The tiles of the dashboard. */
export const board = (page: Page): Locator => page.getByRole('list', { name: 'Sites' });

/** The dashboard's filter buttons by state: all sites first, sites without an alarm last. */
export const states = (page: Page): Locator => page.getByRole('group', { name: 'State' }).getByRole('button');
