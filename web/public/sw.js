/*
 * The service worker: shows the notification that a push brings, and opens its alarm. It keeps no copy of the console, so
 * that an old version never stands between a person and their plant. The payload is { title, text, link?, key }.
 */
self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('push', (event) => {
  const { title, text, link, key } = read(event.data);
  event.waitUntil(
    self.registration.showNotification(title, {
      body: text,
      icon: '/icon-192.png',
      badge: '/badge-96.png',
      // A second attempt of the same message takes the place of the first.
      tag: key,
      data: { path: pathOf(link) },
    }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path ?? '/dashboard/alarms'));
});

/** What cannot be read is still told: a browser that shows nothing for a push takes the permission away. */
function read(data) {
  let payload = {};
  try {
    payload = data?.json() ?? {};
  } catch {
    // Not ours; the words below stand in for it.
  }
  const text = (name) => (typeof payload[name] === 'string' ? payload[name] : '');
  return { title: text('title') || 'Tocsin', text: text('text'), link: text('link'), key: text('key') };
}

/** Only the path counts: the console is where this worker came from, by whatever name the message calls it. */
function pathOf(link) {
  if (link === '' || !URL.canParse(link, self.location.origin)) {
    return '/dashboard/alarms';
  }
  const { pathname, search } = new URL(link, self.location.origin);
  return pathname.startsWith('//') ? '/dashboard/alarms' : pathname + search;
}

/** A window of its own, so that nothing is lost that somebody is writing in another one. */
async function open(path) {
  const address = new URL(path, self.location.origin).href;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = windows.find(({ url }) => url === address);
  return there ? there.focus() : self.clients.openWindow(address);
}
