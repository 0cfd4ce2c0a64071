import { addSubscription, findSubscription, removeSubscription } from './push.queries.ts';
import { deviceName, isMadeWith, keyBytes } from './subscription.ts';

/** Whether this browser can be told by push, and is. */
export type DeviceState = 'impossible' | 'blocked' | 'off' | 'on';

/** Why turning it on came to nothing, each with a sentence for the person. */
export class DeviceRefused extends Error {}

/** Push needs a secure address and a browser that knows it; on an iPhone only a console on the home screen has it. */
export function canBeTold(): boolean {
  return window.isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

export async function deviceState(pushKey: string, signal?: AbortSignal): Promise<DeviceState> {
  if (!canBeTold()) {
    return 'impossible';
  }
  if (Notification.permission === 'denied') {
    return 'blocked';
  }
  const subscription = await currentSubscription();
  if (!subscription || !isMadeWith(keyBytes(pushKey), subscription.options.applicationServerKey)) {
    return 'off';
  }
  // The browser may have been subscribed by somebody else who used it before.
  return (await findSubscription(subscription.endpoint, signal)) === null ? 'off' : 'on';
}

/**
 * The worker stands ready from the first page on, so that the console can be installed, a push finds it, and a page that
 * cannot be fetched says so. It keeps no copy of anything; see public/sw.js.
 */
export function installWorker(): void {
  if (window.isSecureContext && 'serviceWorker' in navigator) {
    void navigator.serviceWorker.register('/sw.js').catch(() => undefined);
  }
}

/** Called straight from a click: browsers ask for permission only then. */
export async function tellThisDevice(pushKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new DeviceRefused('The browser does not allow it. Allow notifications of this site in its settings first.');
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
      'The browser could not reach its push service. Check the connection; in a private window it never can.',
    );
  }
  await addSubscription(subscription, deviceName(navigator.userAgent));
}

/** The server is told first: a browser that forgot alone would be told in vain for ever. */
export async function forgetThisDevice(): Promise<void> {
  const subscription = canBeTold() ? await currentSubscription() : null;
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
