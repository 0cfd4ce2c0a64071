import type { Locator, Page } from 'playwright-core';

/** Returns the list of site tiles on the dashboard. */
export const board = (page: Page): Locator => page.getByRole('list', { name: 'Sites' });

/**
 * Returns the filter buttons of the dashboard. The first button shows all sites, and the last button shows sites
 * without an alarm.
 */
export const states = (page: Page): Locator => page.getByRole('group', { name: 'State' }).getByRole('button');
