import type { NewEvent } from './event.ts';

/** Reason why nobody is notified of an open alarm. */
export type QuietBecause = 'shelved';

/** A period in which an alarm notifies nobody and does not escalate. */
export interface Quiet {
  because: QuietBecause;
  /** Server time at which the period ends. */
  until: number;
  shelvingUuid: string;
  /** Timeline text that states who silenced what, and why. */
  sentence: string;
}

export interface ShelvingWords {
  scope: 'alarm' | 'rule' | 'datapoint' | 'asset' | 'site';
  targetName: string;
  userName: string;
  reason: string;
}

const scopeNames = { alarm: 'alarm', rule: 'rule', datapoint: 'data point', asset: 'asset', site: 'site' } as const;

/** Returns the timeline text of an alarm that opened while its rule was shelved. */
export function shelvedSentence({ scope, targetName, userName, reason }: ShelvingWords): string {
  const what = scope === 'alarm' ? 'the alarm' : `the ${scopeNames[scope]} "${targetName}"`;
  return `Nobody was notified, because ${userName} shelved ${what}: ${reason.replace(/\.$/, '')}.`;
}

/** Returns the text that reminds people of an alarm that is still open after it was shelved. */
export function stillOpenText(text: string): string {
  return `Still open after shelving. ${text}`;
}

/** Returns the timeline entry of an alarm that opened while its rule was shelved. */
export function quietEvent(
  alarmUuid: string,
  customerUuid: string,
  at: number,
  { because, until, sentence }: Quiet,
): NewEvent {
  const detail = { because, stage: because, suppressed: 'opening', until };
  return { alarmUuid, customerUuid, at, kind: 'not-notified', sentence, detail };
}
