import type { Locator, Page } from 'playwright-core';

/** Returns the list of site tiles on the dashboard. */
export const board = (page: Page): Locator => page.getByRole('list', { name: 'Sites' });

/**
 * Returns the dashboard's filter buttons by state. The first shows all sites, the last shows sites without an alarm.
 */
export const states = (page: Page): Locator => page.getByRole('group', { name: 'State' }).getByRole('button');
