import { frameLimits } from '../../domain/frame/frame.ts';
import { notBehindGateway, notRegistered } from '../../domain/frame/gateway-call.ts';
import type { Refusal } from './intake.ts';
import type { Sensor } from './sensor.ts';

/** Time in milliseconds after which a device may retry after a temporary refusal. */
const RETRY_MS = 5000;

const temporary = (because: 'unavailable' | 'busy', sentence: string): Refusal => ({
  ok: false,
  because,
  sentence,
  retryAfterMs: RETRY_MS,
});

export const stopping = temporary('unavailable', 'The server is stopping. Send the frame again.');
export const busy = temporary('busy', 'The server is busy. Send the frame again.');
export const cannotLookUp = temporary('unavailable', 'The server could not look up the device. Send the frame again.');
export const cannotStore = temporary(
  'unavailable',
  'The frame could not be stored, not even in part. Send the frame again.',
);

export function unknownUid(uid: string): Refusal {
  return { ok: false, because: 'unknown-uid', sentence: notRegistered(uid) };
}

/** Time in milliseconds after which a device may retry while its customer is disabled. */
const DISABLED_RETRY_MS = 60_000;

/**
 * Returns the refusal for a disabled sensor or a sensor of a disabled customer. The refusal for a disabled customer is
 * temporary, because customers are disabled during a move to another cell. The devices then keep their frames and send
 * them again.
 */
export function disabled({ uid, customerActive }: Sensor): Refusal {
  if (customerActive) {
    return {
      ok: false,
      because: 'disabled',
      sentence: `The sensor ${uid} is disabled. Enable it in the console first.`,
    };
  }
  const sentence = `The customer of the sensor ${uid} is currently disabled. Send the frame again later.`;
  return { ...temporary('unavailable', sentence), retryAfterMs: DISABLED_RETRY_MS };
}

/** Returns the refusal for a frame whose sensor was deleted after the frame arrived. */
export function goneSince(uid: string): Refusal {
  return { ok: false, because: 'unknown-uid', sentence: `The sensor ${uid} is no longer registered.` };
}

export function foreign(uid: string, gateway: Sensor): Refusal {
  return { ok: false, because: 'foreign-uid', sentence: notBehindGateway(uid, gateway.uid) };
}

/**
 * Returns the refusal for data that exceeds a size limit. For an MQTT packet, the limit is higher than for the frame in
 * it.
 */
export function tooLarge(limit: number, what: 'frame' | 'call' | 'birth' | 'packet' = 'frame'): Refusal {
  const within = what === 'packet' ? `, and ${frameLimits.bytes} bytes for a frame in it` : '';
  const sentence = `The ${what} is too large and was not stored. The maximum is ${limit} bytes${within}. Send a smaller one.`;
  return { ok: false, because: 'too-large', sentence };
}
