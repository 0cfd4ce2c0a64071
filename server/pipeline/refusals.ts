import { frameLimits } from '../../domain/frame/frame.ts';
import { notBehindGateway, notRegistered } from '../../domain/frame/gateway-call.ts';
import type { Refusal } from './intake.ts';
import type { Sensor } from './sensor.ts';

/** When it is worth trying again after something that passes. */
const RETRY_MS = 5000;

const passing = (because: 'unavailable' | 'busy', sentence: string): Refusal => ({
  ok: false,
  because,
  sentence,
  retryAfterMs: RETRY_MS,
});

export const stopping = passing('unavailable', 'The server is stopping. Send it again.');
export const busy = passing('busy', 'The server has too much to do. Send it again.');
export const cannotLookUp = passing(
  'unavailable',
  'The server cannot look the device up at the moment. Send it again.',
);
export const cannotStore = passing(
  'unavailable',
  'The frame could not be stored, and nothing of it was kept. Send it again.',
);

export function unknownUid(uid: string): Refusal {
  return { ok: false, because: 'unknown-uid', sentence: notRegistered(uid) };
}

export function disabled(sensor: Sensor): Refusal {
  return {
    ok: false,
    because: 'disabled',
    sentence: sensor.customerActive
      ? `The sensor ${sensor.uid} is disabled. Enable it in the console first.`
      : `The customer of the sensor ${sensor.uid} is disabled.`,
  };
}

/** It was there when the frame was read. */
export function goneSince(uid: string): Refusal {
  return { ok: false, because: 'unknown-uid', sentence: `The sensor ${uid} is no longer registered.` };
}

export function foreign(uid: string, gateway: Sensor): Refusal {
  return { ok: false, because: 'foreign-uid', sentence: notBehindGateway(uid, gateway.uid) };
}

/** More than a door takes at once, by whichever limit was passed: a packet of MQTT may be larger than the frame in it. */
export function tooLarge(limit: number, what: 'frame' | 'call' | 'birth' | 'packet' = 'frame'): Refusal {
  const within = what === 'packet' ? `, and a frame in it ${frameLimits.bytes}` : '';
  const sentence = `A ${what} has at most ${limit} bytes${within}. It was not kept. Send less at once.`;
  return { ok: false, because: 'too-large', sentence };
}
