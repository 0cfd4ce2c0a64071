import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, signInByForm, startConsole, troubles } from '../harness/console.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

/** A login screen whose clock is turned by hand, with one error toast on it. */
async function withToast(): Promise<Page> {
  const page = await app.open('/auth/login', { prepare: (tab) => tab.clock.install() });
  await page.mouse.move(700, 850);
  await signInByForm(page, 'nobody@plant.example', 'wrong password');
  await page.getByRole('alert').waitFor();
  return page;
}

test('a toast stands top right, with a close button, and goes after 5 seconds', async () => {
  const page = await withToast();
  const toast = page.getByRole('alert');
  const box = (await toast.boundingBox())!;
  expect(box.y).toBeLessThan(100);
  expect(1440 - (box.x + box.width)).toBeLessThan(40);
  await page.clock.fastForward(300);
  await page.clock.fastForward(4500);
  expect(await toast.count()).toBe(1);
  await page.clock.fastForward(600);
  await page.clock.fastForward(400);
  await toast.waitFor({ state: 'detached' });
  await app.leave(page);
});

test('the mouse holds it, and it goes one second after the mouse leaves', async () => {
  const page = await withToast();
  const toast = page.getByRole('alert');
  await toast.hover();
  await page.clock.fastForward(20_000);
  expect(await toast.count()).toBe(1);
  await page.mouse.move(700, 850);
  await page.clock.fastForward(800);
  expect(await toast.count()).toBe(1);
  await page.clock.fastForward(300);
  await page.clock.fastForward(400);
  await toast.waitFor({ state: 'detached' });
  await app.leave(page);
});

test('the same message is not shown twice, and a tap or the close button dismisses it', async () => {
  const page = await withToast();
  const answered = page.waitForResponse('**/api/v1/auth/login');
  await signInByForm(page, 'nobody@plant.example', 'wrong password');
  await answered;
  expect(await page.getByRole('alert').count()).toBe(1);
  await page.getByRole('alert').click();
  await page.clock.fastForward(400);
  await page.getByRole('alert').waitFor({ state: 'detached' });

  await signInByForm(page, 'nobody@plant.example', 'wrong password');
  await page.getByRole('alert').waitFor();
  await page.getByRole('button', { name: 'Close message' }).click();
  await page.clock.fastForward(400);
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await app.leave(page);
});
