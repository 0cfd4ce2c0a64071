/** Sentences in the sensor log about values that were not stored. */

/** Problems with well-formed values. They depend on the sensor's channels, its scaling or the retention. */
export const valueProblems = {
  'unknown-channel': (channel: string) => `The sensor has no channel "${channel}".`,
  'out-of-range': () => 'The scaled value is out of range.',
  'too-old': () => 'The time is older than the stored history.',
} as const;

export type ChannelProblem = keyof typeof valueProblems;
export const channelProblems = Object.keys(valueProblems) as ChannelProblem[];

/** Returns the sentence about a rejected value, preceded by its channel unless the sentence already contains it. */
export function valueProblemText(channel: string, because: string, sentence: string): string {
  return because === 'unknown-channel' ? sentence : `${channel}: ${sentence}`;
}

/** Returns the sentence about a device's confirmation (`ack`) that matches no sent command. */
export function unmatchedAckText(id: number, state: 'unknown' | 'cancelled' | 'not sent' = 'unknown'): string {
  const why = {
    unknown: `There is no command ${id} for this sensor`,
    cancelled: `Command ${id} was cancelled`,
    'not sent': `Command ${id} has not been sent yet`,
  };
  return `${why[state]}, so the ack has no effect.`;
}

/** Maximum number of sentences in a problem text. */
export const MAX_SENTENCES = 5;
const LEFT_OUT = / And (\d+) more\.$/;

/** Joins the first sentences and adds the number of omitted sentences. Returns null if there are no sentences. */
export function problemText(sentences: readonly string[]): string | null {
  if (sentences.length === 0) return null;
  const named = sentences.slice(0, MAX_SENTENCES).join(' ');
  return sentences.length <= MAX_SENTENCES ? named : `${named} And ${sentences.length - MAX_SENTENCES} more.`;
}

/** Returns the number of sentences that a problem text omits. */
export function omittedCount(problem: string): number {
  return Number(LEFT_OUT.exec(problem)?.[1] ?? 0);
}

export function withoutOmittedCount(problem: string): string {
  return problem.replace(LEFT_OUT, '');
}
