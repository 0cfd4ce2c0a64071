import type { FrameProblem } from '../../domain/frame/frame.ts';

export interface Command {
  id: number;
  text: string;
}

/**
 * Result of sending a frame.
 * - `accepted`: the server stored the frame. `useless` is the reason why it could use none of the values.
 * - `refused`: the server rejects this frame, so it is not sent again.
 * - `barred`: the device is currently not allowed to send. `badToken`: the server refused its token, so retrying does
 *   not help.
 * - `failed`: the frame can be sent again.
 */
export type Outcome =
  | { kind: 'accepted'; commands: readonly Command[]; useless?: string }
  | { kind: 'refused'; because: string }
  | { kind: 'barred'; because: string; badToken: boolean }
  | { kind: 'failed'; because: string; waitMs?: number };

/** Connection of one device over one protocol. The client sends one frame at a time and connects when necessary. */
export interface DeviceClient {
  send(body: Uint8Array): Promise<Outcome>;
  close(): Promise<void>;
}

export interface DeviceClientOptions {
  uid: string;
  token: string;
  address: URL;
  /** Called for each command that arrives without a request, such as over MQTT. */
  onCommand(command: Command): void;
  timeoutMs?: number;
}

/** Time limit for a response, in milliseconds. */
export const TIMEOUT_MS = 15_000;

const useless = new Set<string>([
  'not-text',
  'not-json',
  'not-pairs',
  'not-csv',
  'too-many-values',
  'no-values',
  'too-large',
] satisfies (FrameProblem | 'too-large')[]);

const barred = new Set(['unknown-uid', 'wrong-token', 'revoked-token', 'disabled', 'ambiguous-uid', 'foreign-uid']);

/** Converts the server's refusal code into an outcome. */
export function outcomeOf(reason: string, waitMs?: number): Outcome {
  if (useless.has(reason)) {
    return { kind: 'refused', because: reason };
  }
  if (barred.has(reason)) {
    return { kind: 'barred', because: reason, badToken: reason === 'wrong-token' || reason === 'revoked-token' };
  }
  return { kind: 'failed', because: reason, ...(waitMs !== undefined && { waitMs }) };
}

export function failed(error: unknown): Outcome {
  const { code, message } = error as { code?: string; message?: string };
  return { kind: 'failed', because: code ?? message ?? String(error) };
}
