import type { Page, WebSocket } from 'playwright-core';

const sockets = new WeakMap<Page, WebSocket[]>();

/** The live connections of a page from the first call on: a page that goes on within the console keeps the one it has. */
function socketsOf(page: Page): WebSocket[] {
  const known = sockets.get(page) ?? [];
  if (!sockets.has(page)) {
    sockets.set(page, known);
    page.on('websocket', (socket) => {
      if (socket.url().endsWith('/graphql')) known.push(socket);
    });
  }
  return known;
}

/** Begins to listen; the answer comes once the page follows the news of alarms. */
export async function following(page: Page): Promise<void> {
  const heard = async (socket: WebSocket) => {
    await socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('alarmNews'));
  };
  const known = socketsOf(page).filter((socket) => !socket.isClosed());
  const coming = page.waitForEvent('websocket', (one) => one.url().endsWith('/graphql')).then(heard);
  await Promise.any([...known.map(heard), coming]);
}
