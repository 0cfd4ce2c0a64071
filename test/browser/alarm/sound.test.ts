import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { settled } from '../../harness/browser/settled.ts';
import { createQuay, report } from '../support/alarm-plant.ts';

let app: ConsoleApp;
beforeAll(async () => {
  app = await startConsole();
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

/** Records the page's audio, so that the test can count the bell sounds. */
const listen = async (tab: Page) => {
  await tab.addInitScript(`{
    globalThis.strokes = 0;
    globalThis.AudioContext = class extends AudioContext {
      constructor() { super(); globalThis.speaker = this; }
      createOscillator() { globalThis.strokes += 1; return super.createOscillator(); }
    };
  }`);
};

test('a new alarm sounds on a page that was clicked, and its audio is suspended before and afterwards', async () => {
  const quay = await createQuay(app);
  const page = await app.open('/dashboard', { as: app.people.operator, prepare: listen });
  const speaker = () => page.evaluate('[globalThis.speaker?.state, globalThis.strokes]');
  await settled(page);
  await page.mouse.click(700, 600);
  await expect.poll(speaker).toEqual(['suspended', 0]);
  await report(app, quay, 'The quay is flooded');
  await expect.poll(speaker, { interval: 20 }).toEqual(['running', 2]);
  await expect.poll(speaker).toEqual(['suspended', 2]);
  await app.leave(page);
});
