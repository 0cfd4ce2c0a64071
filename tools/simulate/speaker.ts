import type { FrameProblem } from '../../domain/frame/frame.ts';

export interface Command {
  id: number;
  text: string;
}

/**
 * What became of a frame. `refused`: sending it again would not help. `barred`: this device may not speak now.
 * `failed`: nobody took it, and it is worth trying again.
 */
export type Outcome =
  | { kind: 'accepted'; commands: readonly Command[] /** Why none of its values could be used. */; useless?: string }
  | { kind: 'refused'; because: string }
  | { kind: 'barred'; because: string /** The token is refused, which no waiting mends. */; badToken: boolean }
  | { kind: 'failed'; because: string; waitMs?: number };

/** One device at one door. Sends one frame at a time, and connects by itself when it has to. */
export interface Speaker {
  send(body: Uint8Array): Promise<Outcome>;
  close(): Promise<void>;
}

export interface SpeakerOptions {
  uid: string;
  token: string;
  address: URL;
  /** For commands that come without being asked for. */
  onCommand(command: Command): void;
  timeoutMs?: number;
}

/** A server that has not answered by then is not going to. */
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

/** What the server's name for a refusal means for the device. */
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
