import type { Locator, Page } from 'playwright-core';

/** The tiles of the dashboard. */
export const board = (page: Page): Locator => page.getByRole('list', { name: 'Sites' });

/** The buttons that narrow it to the sites of one state: all of them first, those without an alarm last. */
export const states = (page: Page): Locator => page.getByRole('group', { name: 'State' }).getByRole('button');
