import type { Page, WebSocket } from 'playwright-core';

const sockets = new WeakMap<Page, WebSocket[]>();

/**
 * Returns the page's live connections that were opened after the first call of this function for the page. Navigation
 * inside the console keeps them open.
 */
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

/** Resolves when the page has subscribed to alarms. */
export async function following(page: Page): Promise<void> {
  const heard = async (socket: WebSocket) => {
    await socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes('alarmNews'));
  };
  const known = socketsOf(page).filter((socket) => !socket.isClosed());
  const coming = page.waitForEvent('websocket', (one) => one.url().endsWith('/graphql')).then(heard);
  await Promise.any([...known.map(heard), coming]);
}
