import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { settled } from '../../harness/browser/settled.ts';
import { isLong } from '../../harness/long.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Fails if axe finds a serious or critical problem, or if the page is wider than its window. `part` is a selector that
 * limits the check to a part of the page. `rules` can limit the check to contrast.
 */
export async function expectAccessible(page: Page, part = ':root', rules: 'all' | 'contrast' = 'all'): Promise<void> {
  await settled(page);
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const violations = await page.evaluate(
    async ([selector, which]) => {
      const { axe } = globalThis as any;
      // Turns off the rules that report only minor or moderate problems. For a check of the contrast, turns off all
      // other rules.
      const unused = axe._audit.rules.filter(
        ({ id, impact }: any) =>
          impact === 'minor' || impact === 'moderate' || (which === 'contrast' && id !== 'color-contrast'),
      );
      const options = {
        resultTypes: ['violations'],
        preload: { assets: ['media'] },
        rules: Object.fromEntries(unused.map(({ id }: any) => [id, { enabled: false }])),
      };
      return (await axe.run(selector, options)).violations;
    },
    [part, rules] as const,
  );
  expect(
    violations
      .filter(({ impact }: any) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }: any) => nodes.slice(0, 3).map((node: any) => `${id}: ${node.html.slice(0, 200)}`)),
  ).toEqual([]);
  await expectToFit(page);
}

async function expectToFit(page: Page): Promise<void> {
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth + 1');
  expect(isTooWide, 'the page is wider than its window').toBe(false);
}

export const wide = { width: 1440, height: 900 };
export const narrow = { width: 360, height: 740 };

async function lookAt(page: Page, size: typeof wide, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme });
  await settled(page);
}

/**
 * Number of pages that `lookTwice` has checked. In normal runs, every second page is checked fully on a wide screen,
 * and the others are checked fully on a narrow screen. On the other screen size, only the width of the page is checked.
 */
let looks = 0;

/** Checks the page on a wide light screen and on a narrow dark screen. */
export async function expectGoodLooks(page: Page, part?: string): Promise<void> {
  await lookTwice(page, part, 'all');
}

/**
 * Checks a page that has its own colours but whose layout another test covers. In `npm run test:long`, the check on a
 * narrow screen is limited to the contrast.
 */
export async function expectGoodColours(page: Page, part?: string): Promise<void> {
  await lookTwice(page, part, isLong ? 'contrast' : 'all');
}

async function lookTwice(page: Page, part: string | undefined, second: 'all' | 'contrast'): Promise<void> {
  looks += 1;
  await lookAt(page, wide, 'light');
  await (isLong || looks % 2 === 1 ? expectAccessible(page, part) : expectToFit(page));
  await lookAt(page, narrow, 'dark');
  await (isLong || looks % 2 === 0 ? expectAccessible(page, part, second) : expectToFit(page));
}

/**
 * Checks a page that has no colours of its own. Applies all rules on a wide screen, and checks only the width of the
 * page on a narrow screen.
 */
export async function expectUsualLooks(page: Page, part?: string): Promise<void> {
  await lookAt(page, wide, 'light');
  await expectAccessible(page, part);
  await lookAt(page, narrow, 'dark');
  await expectToFit(page);
}
