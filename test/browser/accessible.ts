import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { settled } from '../harness/settled.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Fails with what axe finds serious or critical, as `rule: element`, and where a page is wider than its window. Where only a
 * part of a page has changed since it was last looked at, a selector says which.
 */
export async function expectAccessible(page: Page, part = ':root'): Promise<void> {
  await settled(page);
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const [violations, isTooWide] = await page.evaluate(async (selector) => {
    const { axe, document, innerWidth } = globalThis as any;
    // What a rule finds is as grave as the rule: those that never find anything serious need not look.
    const slight = axe._audit.rules.filter(({ impact }: any) => impact === 'minor' || impact === 'moderate');
    const options = {
      resultTypes: ['violations'],
      preload: { assets: ['media'] },
      rules: Object.fromEntries(slight.map(({ id }: any) => [id, { enabled: false }])),
    };
    return [(await axe.run(selector, options)).violations, document.documentElement.scrollWidth > innerWidth + 1];
  }, part);
  expect(
    violations
      .filter(({ impact }: any) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }: any) => nodes.slice(0, 3).map((node: any) => `${id}: ${node.html.slice(0, 200)}`)),
  ).toEqual([]);
  expect(isTooWide, 'the page is wider than its window').toBe(false);
}

export const wide = { width: 1440, height: 900 };
export const narrow = { width: 360, height: 740 };

const variants = [
  { colorScheme: 'light', size: wide },
  { colorScheme: 'dark', size: narrow },
] as const;

/** The same, wide and light, then narrow and dark. */
export async function expectGoodLooks(page: Page, part?: string): Promise<void> {
  for (const { colorScheme, size } of variants) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, part);
  }
}
