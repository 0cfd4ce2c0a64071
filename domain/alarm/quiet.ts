import type { EventKind, NewEvent } from './event.ts';

/** Why nobody is notified of an open alarm. Explanations name the reasons in this order. */
export const quietReasons = ['shelved', 'maintenance', 'dependency'] as const;
export type QuietBecause = (typeof quietReasons)[number];

/** A period in which an alarm notifies nobody and does not escalate. */
export interface Quiet {
  because: QuietBecause;
  /** Server time at which the alarm stops being quiet; null if the end is not known. */
  until: number | null;
  /** Uuid of the shelving, the maintenance window or the causing alarm; null if that alarm is not open yet. */
  source: string | null;
  /** Timeline sentence that says why nobody was notified of the opening. */
  sentence: string;
}

export interface ShelvingWords {
  scope: 'alarm' | 'rule' | 'datapoint' | 'asset' | 'site';
  targetName: string;
  userName: string;
  reason: string;
}

export interface MaintenanceWords {
  /** Name of the window. */
  name: string;
}

export interface DependencyWords {
  /**
   * The cause, such as '"Mains power" at Mill' or 'the silence of Mill'. A cause at a different site is 'an alarm at
   * another site'.
   */
  cause: string;
}

/** A row of `tocsin_private.quiet_of`. Its `words` depend on the reason. */
export type QuietFact =
  | { because: 'shelved'; words: ShelvingWords }
  | { because: 'maintenance'; words: MaintenanceWords }
  | { because: 'dependency'; words: DependencyWords };

/** Parts of sentences for each reason, so that all sentences describe a reason in the same words. */
const texts: Record<QuietBecause, { was: string; over: string; after: string; ended: EventKind }> = {
  shelved: { was: 'the alarm was shelved', over: 'The shelving ended.', after: 'after shelving', ended: 'unshelved' },
  maintenance: {
    was: 'of maintenance',
    over: 'Maintenance ended.',
    after: 'after maintenance',
    ended: 'maintenance-ended',
  },
  dependency: {
    was: 'another alarm was its cause',
    over: 'The alarm that was its cause ended.',
    after: 'after its cause ended',
    ended: 'dependency-ended',
  },
};

const scopeNames = { alarm: 'alarm', rule: 'rule', datapoint: 'data point', asset: 'asset', site: 'site' } as const;

/** Returns the timeline text of an alarm that opened while it was quiet. */
export function quietSentence(fact: QuietFact): string {
  return `Nobody was notified, because ${causeOf(fact)}.`;
}

function causeOf(fact: QuietFact): string {
  if (fact.because === 'maintenance') return `maintenance is in progress: ${withoutStop(fact.words.name)}`;
  if (fact.because === 'dependency') return `it is a consequence of ${withoutStop(fact.words.cause)}`;
  const { scope, targetName, userName, reason } = fact.words;
  const what = scope === 'alarm' ? 'the alarm' : `the ${scopeNames[scope]} "${targetName}"`;
  return `${userName} shelved ${what}: ${withoutStop(reason)}`;
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const withoutStop = (text: string) => text.replace(/\.$/, '');

/**
 * Returns the text that reminds people of an alarm that is still open after it was quiet. `cause` is the cause that
 * ended; null if the alarm was not a consequence.
 */
export function stillOpenText(because: QuietBecause, text: string, cause: string | null = null): string {
  const after = cause === null ? texts[because].after : `after ${cause} ended`;
  return `Still open ${after}. ${text}`;
}

/**
 * Returns the timeline entry of an alarm whose quiet time ended. `next` is the reason why it stays quiet, if there is
 * one.
 */
export function quietEnded(
  because: QuietBecause,
  next?: QuietFact,
  cause: string | null = null,
): { kind: EventKind; sentence: string } {
  const { ended } = texts[because];
  const over = cause === null ? texts[because].over : `${capitalized(cause)} ended.`;
  const then = next
    ? `Nobody is notified yet, because ${causeOf(next)}.`
    : 'The alarm is still open, so its recipients are notified.';
  return { kind: ended, sentence: `${over} ${then}` };
}

/** Returns the timeline text of an alarm that resolved while it was quiet. */
export function quietResolution(because: QuietBecause): string {
  const { was } = texts[because];
  return `Nobody was notified of the resolution, because ${was}.`;
}

/** Returns the timeline entry of an alarm that opened while it was quiet. */
export function quietEvent(
  alarmUuid: string,
  customerUuid: string,
  at: number,
  { because, until, sentence }: Quiet,
): NewEvent {
  const detail = { because, stage: because, suppressed: 'opening', until };
  return { alarmUuid, customerUuid, at, kind: 'not-notified', sentence, detail };
}
