import { addSubscription, findSubscription, removeSubscription } from './push.queries.ts';
import { deviceName, isMadeWith, keyBytes } from './subscription.ts';

/** State of push notifications in this browser. */
export type DeviceState = 'impossible' | 'blocked' | 'off' | 'on';

/** Thrown if push notifications cannot be turned on. The interface shows its message to the user. */
export class DeviceRefused extends Error {}

/**
 * Returns true if the page uses HTTPS and the browser supports push. On an iPhone, push works only after the user has
 * added the console to the home screen.
 */
export function supportsPush(): boolean {
  return window.isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

export async function deviceState(pushKey: string, signal?: AbortSignal): Promise<DeviceState> {
  if (!supportsPush()) {
    return 'impossible';
  }
  if (Notification.permission === 'denied') {
    return 'blocked';
  }
  const subscription = await currentSubscription();
  if (!subscription || !isMadeWith(keyBytes(pushKey), subscription.options.applicationServerKey)) {
    return 'off';
  }
  // The subscription may belong to another user of this browser. In that case, push is off for this user.
  return (await findSubscription(subscription.endpoint, signal)) === null ? 'off' : 'on';
}

/**
 * Registers the service worker when the console starts. The worker makes the console installable, receives push
 * messages and shows an error page when offline. It caches nothing; see public/sw.js.
 */
export function installWorker(): void {
  if (window.isSecureContext && 'serviceWorker' in navigator) {
    void navigator.serviceWorker.register('/sw.js').catch(() => undefined);
  }
}

/**
 * Subscribes this browser to push notifications. Throws DeviceRefused if that fails. Call this directly from a click
 * handler, because browsers show the permission prompt only after a click.
 */
export async function subscribeDevice(pushKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new DeviceRefused(
      'The browser blocks notifications from the console. Allow them in the browser settings first.',
    );
  }
  const worker = await navigator.serviceWorker.register('/sw.js');
  await navigator.serviceWorker.ready;
  const key = keyBytes(pushKey);
  const before = await worker.pushManager.getSubscription();
  if (before && !isMadeWith(key, before.options.applicationServerKey)) {
    await before.unsubscribe();
  }
  let subscription: PushSubscription;
  try {
    subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch {
    throw new DeviceRefused(
      'The browser could not reach its push service. Check the connection. Private windows do not support push.',
    );
  }
  await addSubscription(subscription, deviceName(navigator.userAgent));
}

/**
 * Unsubscribes this browser from push notifications. Removes the subscription from the server first, so that the server
 * never sends to an ended subscription. Does nothing if the subscription belongs to another user.
 */
export async function unsubscribeDevice(): Promise<void> {
  const subscription = supportsPush() ? await currentSubscription() : null;
  if (!subscription) {
    return;
  }
  const uuid = await findSubscription(subscription.endpoint);
  if (uuid !== null) {
    await removeSubscription(uuid);
    await subscription.unsubscribe();
  }
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const worker = await navigator.serviceWorker.getRegistration('/');
  return (await worker?.pushManager.getSubscription()) ?? null;
}
