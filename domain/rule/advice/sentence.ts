import { plural } from '../../plural.ts';
import { type Advice, type AdviceBecause, FEWEST_READINGS } from './advise.ts';
import { FEWEST_NUISANCE } from './past-alarm.ts';

/** Why there is no advice: the result of the replay, or the kind of the rule. */
export type NoAdviceBecause = Exclude<AdviceBecause, 'proposal'> | 'conditions' | 'digital';

type Counting = 'few-readings' | 'few-nuisance';

const sentences: Readonly<Record<Exclude<NoAdviceBecause, Counting>, string>> = {
  'no-better': 'None of the settings tried avoids a nuisance alarm without missing a real alarm.',
  'no-alarms': 'The rule opened no alarm in this period. Choose a longer period.',
  'no-acknowledgements': 'Nobody acknowledged an alarm of this rule in this period. Choose a longer period.',
  'no-nuisance':
    'No acknowledgement has a reason that is marked as nuisance. Mark the reasons that people choose for alarms that require no action.',
  conditions: 'There is no advice for multi-condition rules. Only limits and their debounce can be replayed.',
  digital: 'There is no advice for digital alarms. They have no limits and no debounce to change.',
};

/** Returns a sentence about the effect of the proposal, or about why there is no proposal. */
export function adviceSentence({ because, proposal, counts, readings }: Advice): string {
  if (because === 'few-readings') {
    return `Only ${counted(readings, 'reading')} ${readings === 1 ? 'is' : 'are'} stored for this period. Advice needs at least ${FEWEST_READINGS}.`;
  }
  if (because === 'few-nuisance') {
    const missing = FEWEST_NUISANCE - counts.nuisance;
    return `${counted(missing, 'more acknowledgement')} with a nuisance reason ${missing === 1 ? 'is' : 'are'} needed. Advice needs ${FEWEST_NUISANCE} in this period.`;
  }
  if (because !== 'proposal' || proposal === undefined) return noAdviceSentence(because as 'no-better');
  const avoided = `The proposal avoids ${proposal.nuisanceAvoided} of ${counted(counts.nuisance, 'nuisance alarm')}`;
  const delay = Math.round(proposal.delayMs / 1000);
  if (proposal.realKept === 0) return `${avoided}.`;
  const later = delay > 0 ? ` Real alarms open up to ${delay} s later.` : '';
  return `${avoided} and keeps ${counted(proposal.realKept, 'real alarm')}.${later}`;
}

export function noAdviceSentence(because: Exclude<NoAdviceBecause, Counting>): string {
  return sentences[because];
}

/**
 * Returns notes on what the advice does not cover: alarms that could not be compared, and settings that were not tried.
 */
export function adviceNotes({ because, counts, present, tried, isComplete }: Advice, earlierAlarms: number): string[] {
  if (because !== 'proposal' && because !== 'no-better') return [];
  const unmatched = present.missed.length;
  return [
    ...(counts.real === 0
      ? ['No alarm was acknowledged as real, so the replay cannot show what a proposal would miss.']
      : []),
    ...(earlierAlarms > 0
      ? [`${counted(earlierAlarms, 'alarm')} opened before the first stored reading and cannot be compared.`]
      : []),
    ...(unmatched > 0
      ? [`The present settings do not open ${unmatched} of ${counted(counts.real, 'real alarm')} in the replay.`]
      : []),
    ...(isComplete ? [] : [`The readings change too often to try all settings. Only ${tried} settings were tried.`]),
  ];
}

function counted(count: number, one: string): string {
  return `${count} ${plural(count, one)}`;
}
