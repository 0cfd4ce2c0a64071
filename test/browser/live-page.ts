import type { Page } from 'playwright-core';

/** Begins to listen; the answer comes once the page follows the news of alarms. */
export async function following(page: Page): Promise<void> {
  const socket = await page.waitForEvent('websocket', (one) => one.url().endsWith('/graphql'));
  await socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('alarmNews'));
}
