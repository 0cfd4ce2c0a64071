import { quoteAnswer } from '../sender/answer.ts';
import { classifyStatus, explainNoAnswer } from '../sender/http.ts';
import type { PostAnswer } from './post.ts';

export type PostResult = { because: string; status?: number } & (
  | { outcome: 'sent' | 'give-up' }
  | { outcome: 'retry'; afterSeconds?: number }
);

/** Statuses that no later attempt can change: the receiver does not know the URL, or refuses the request. */
const FINAL: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 406, 410, 413, 415, 422]);

/** Decides from the answer of a receiver whether the delivery was sent, is tried again, or has failed. */
export function classifyAnswer(answer: PostAnswer, secrets: readonly string[]): PostResult {
  if (!answer.answered) {
    if (answer.because === 'refused') return { outcome: 'give-up', because: answer.detail };
    return { outcome: 'retry', because: explainNoAnswer('The receiver', { ...answer, because: answer.because }) };
  }
  const { status, afterSeconds } = answer;
  const said = quoteAnswer(answer.body, secrets);
  if (classifyStatus(status) === 'taken') return { outcome: 'sent', status, because: '' };
  if (status >= 300 && status < 400) {
    const because = `The receiver responded with a redirect (${status}), which Tocsin does not follow. Enter the final URL.`;
    return { outcome: 'give-up', status, because };
  }
  if (FINAL.has(status))
    return { outcome: 'give-up', status, because: `The receiver refused the request (${status}).${said}` };
  const because = `The receiver cannot accept the request now (${status}).${said}`;
  return { outcome: 'retry', status, because, ...(afterSeconds !== undefined && { afterSeconds }) };
}
