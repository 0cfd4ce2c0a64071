/*
 * The service worker. It shows push notifications, opens their alarms, and shows its own page while offline. It does
 * not cache the console, so that nobody works with an old version. The payload is { title, text, link?, key, tag,
 * acknowledge?, stays? }; see PushPayload in server/sender/push.ts.
 */
self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('fetch', (event) => {
  const { mode, url } = event.request;
  if (mode === 'navigate' && !new URL(url).pathname.startsWith('/api/')) {
    event.respondWith(fetch(event.request).catch(withoutConnection));
  }
});

/**
 * Returns a page that replaces the browser's offline page. It reloads every five seconds, while the browser's page
 * would stay after the connection is back.
 */
function withoutConnection() {
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5">
<title>No connection · Tocsin</title>
<style>
:root { color-scheme: light dark; }
body { display: grid; place-content: center; min-height: 90vh; margin: 0 24px; font: 15px/1.5 system-ui, sans-serif; text-align: center; }
h1 { margin: 0; font-size: 20px; }
a { color: LinkText; }
</style>
</head>
<body>
<main>
<h1>No connection</h1>
<p>Can’t reach Tocsin. Alarms are still being monitored.<br>This page reloads automatically until the connection is back. <a href="">Try again</a></p>
</main>
</body>
</html>`;
  const headers = {
    'content-type': 'text/html',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  };
  return new Response(page, { status: 503, headers });
}

self.addEventListener('push', (event) => {
  event.waitUntil(show(read(event.data)));
});

async function show({ title, text, link, key, tag, acknowledge, stays }) {
  const shown = tag === '' ? [] : await self.registration.getNotifications({ tag });
  return self.registration.showNotification(title, {
    body: text,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    // The newest message of an alarm replaces the earlier ones. It alerts again unless the same message is already
    // shown.
    tag: tag || key,
    renotify: (tag || key) !== '' && !shown.some(({ data }) => data?.key === key),
    requireInteraction: stays,
    actions: acknowledge ? [{ action: 'acknowledge', title: 'Acknowledge' }] : [],
    data: { path: pathOf(link), key },
  });
}

// The link of an alarm opens its acknowledge dialog, so the Acknowledge action and a click on the notification do the
// same.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path ?? '/dashboard/alarms'));
});

/**
 * Parses the payload. Unreadable data still shows a notification, because a browser revokes the permission if a push
 * shows none.
 */
function read(data) {
  let payload = {};
  try {
    payload = data?.json() ?? {};
  } catch {
    // The payload is not JSON, so the default texts below are used.
  }
  const text = (name) => (typeof payload[name] === 'string' ? payload[name] : '');
  return {
    ...{ title: text('title') || 'Tocsin', text: text('text'), link: text('link'), key: text('key'), tag: text('tag') },
    ...{ acknowledge: payload.acknowledge === true, stays: payload.stays === true },
  };
}

/** Returns the path of a link. The host is ignored, because the console is at the origin of this worker. */
function pathOf(link) {
  if (link === '' || !URL.canParse(link, self.location.origin)) {
    return '/dashboard/alarms';
  }
  const { pathname, search } = new URL(link, self.location.origin);
  return pathname.startsWith('//') ? '/dashboard/alarms' : pathname + search;
}

/** Opens the path in a new window, so that unsaved input in another window is kept. */
async function open(path) {
  const address = new URL(path, self.location.origin).href;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = windows.find(({ url }) => url === address);
  return there ? there.focus() : self.clients.openWindow(address);
}
