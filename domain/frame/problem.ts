/** Why values of a frame gave no reading, as it stands beside the frame in the log. */

/** What the sensor or its channel says about a value that could be read. */
export const valueProblems = {
  'unknown-channel': (channel: string) => `The sensor has no channel "${channel}".`,
  'out-of-range': () => 'The value is out of range once it is scaled.',
  'too-old': () => 'The time lies before everything that is kept.',
} as const;

export type ChannelProblem = keyof typeof valueProblems;
export const channelProblems = Object.keys(valueProblems) as ChannelProblem[];

/** The sentence about one value, which names it. */
export function valueProblemText(channel: string, because: string, sentence: string): string {
  return because === 'unknown-channel' ? sentence : `${channel}: ${sentence}`;
}

/** What the log notes of an ack that names no command which its sensor was given. */
export function unmatchedAckText(id: number, state: 'unknown' | 'taken back' | 'not sent' = 'unknown'): string {
  const why = {
    unknown: `There is no command ${id} for this sensor`,
    'taken back': `Command ${id} was taken back`,
    'not sent': `Command ${id} was not sent yet`,
  };
  return `${why[state]}, so its ack confirms nothing.`;
}

/** Sentences of one text. */
export const MAX_SENTENCES = 5;
const LEFT_OUT = / And (\d+) more\.$/;

/** The sentences in one text, the first few of very many. */
export function problemText(sentences: readonly string[]): string | null {
  if (sentences.length === 0) return null;
  const told = sentences.slice(0, MAX_SENTENCES).join(' ');
  return sentences.length <= MAX_SENTENCES ? told : `${told} And ${sentences.length - MAX_SENTENCES} more.`;
}

/** How many sentences a text leaves out. */
export function omittedCount(problem: string): number {
  return Number(LEFT_OUT.exec(problem)?.[1] ?? 0);
}

/** The sentences alone, without how many are left out. */
export function withoutOmittedCount(problem: string): string {
  return problem.replace(LEFT_OUT, '');
}
