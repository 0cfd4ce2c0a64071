import type { Answer, Intake, Protocol, Refusal, RefusalName, Who } from '../pipeline/intake.ts';
import type { Metrics } from '../platform/metrics.ts';

/**
 * Kind of a refusal, which decides how the protocol reacts. `who`: the device is refused until a user changes its
 * settings. `frame`: the frame is in the sensor log but unusable, and a retry does not help. `size`: the frame was not
 * stored, and a retry does not help. `later`: the frame was not stored, but a retry can succeed.
 */
export type RefusalKind = 'who' | 'frame' | 'size' | 'later';

interface Meaning {
  kind: RefusalKind;
  /** HTTP status of the response. */
  status: number;
}

const meanings: Record<RefusalName, Meaning> = {
  'unknown-uid': { kind: 'who', status: 404 },
  'wrong-token': { kind: 'who', status: 401 },
  'revoked-token': { kind: 'who', status: 401 },
  disabled: { kind: 'who', status: 403 },
  'ambiguous-uid': { kind: 'who', status: 409 },
  'foreign-uid': { kind: 'who', status: 403 },
  'too-large': { kind: 'size', status: 413 },
  'too-many-frames': { kind: 'frame', status: 413 },
  flood: { kind: 'later', status: 429 },
  busy: { kind: 'later', status: 503 },
  unavailable: { kind: 'later', status: 503 },
  empty: { kind: 'frame', status: 422 },
  'not-text': { kind: 'frame', status: 422 },
  'no-frames': { kind: 'frame', status: 422 },
  'no-uid': { kind: 'frame', status: 422 },
  'not-json': { kind: 'frame', status: 422 },
  'not-pairs': { kind: 'frame', status: 422 },
  'not-csv': { kind: 'frame', status: 422 },
  'not-sparkplug': { kind: 'frame', status: 422 },
  'too-many-values': { kind: 'frame', status: 422 },
  'no-values': { kind: 'frame', status: 422 },
};

export function meaningOf(because: RefusalName): Meaning {
  return meanings[because];
}

/** Returns the text of a refusal. If the frame was stored, the text adds that it is in the sensor log. */
export function sentenceOf({ because, sentence }: Refusal, what: 'frame' | 'call' = 'frame'): string {
  return meanings[because].kind === 'frame' ? `${sentence} The ${what} is in the sensor log.` : sentence;
}

const atFault: readonly RefusalName[] = ['busy', 'unavailable'];

/**
 * Records a refusal in the sensor log, except three kinds: refusals of kind `frame`, because the log already contains
 * that frame; refusals because of a foreign uid; and refusals that the server itself causes (`atFault`).
 */
export function noteRefusal(intake: Intake, protocol: Protocol, who: Who, { because, sentence }: Refusal): void {
  if (meanings[because].kind === 'frame' || because === 'foreign-uid' || atFault.includes(because)) return;
  intake.noteRejection(who, { protocol, because, sentence });
}

/** Default time after which a device should retry. */
const LATER_MS = 5000;

export function secondsToWait({ retryAfterMs = LATER_MS }: Refusal): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1000));
}

/** Counts a frame by its result, and counts its refused values. */
export function countAnswer(metrics: Metrics, protocol: Protocol, answer: Answer): void {
  metrics.count('tocsin_frames_total', { protocol, outcome: answer.ok ? 'taken' : answer.because });
  if (!answer.ok) return;
  if (answer.duplicates > 0) metrics.count('tocsin_values_duplicate_total', { protocol }, answer.duplicates);
  if (answer.notes.length > 0) metrics.count('tocsin_frames_noted_total', { protocol });
  for (const { because } of answer.refused) metrics.count('tocsin_values_refused_total', { protocol, reason: because });
}

/** Counts an accepted or refused connection. */
export function countVisitor(metrics: Metrics, protocol: Protocol, outcome: string): void {
  metrics.count('tocsin_connections_total', { protocol, outcome });
}
