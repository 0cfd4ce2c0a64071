import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Fails with what axe finds serious or critical, as `rule: element`, and where a page is wider than its window. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate(axe);
  const violations = await page.evaluate(
    async () => (await (globalThis as any).axe.run({ resultTypes: ['violations'] })).violations,
  );
  expect(
    violations
      .filter(({ impact }: any) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }: any) => nodes.slice(0, 3).map((node: any) => `${id}: ${node.html.slice(0, 200)}`)),
  ).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth > window.innerWidth + 1')).toBe(false);
}
