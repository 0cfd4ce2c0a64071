import { acknowledgementOf } from '../../../kit/format/alarm.ts';
import { alarmName } from '../../../kit/format/alarm-name.ts';

/** An unacknowledged alarm with the reasons that its rule allows. If the list is empty, any text is allowed. */
export interface UnacknowledgedAlarm {
  uuid: string;
  reasons: readonly string[];
}

export interface NamedAlarm {
  uuid: string;
  message: string;
  siteName: string;
}

export interface AlarmToResolve extends NamedAlarm {
  acknowledged: boolean;
}

export interface OfferedReason {
  reason: string;
  /** Uuids of the alarms that accept this reason. */
  acceptedBy: readonly string[];
}

export type ReasonOffer =
  /** No rule has a list of reasons, so the user types the reason. */
  | { kind: 'own-words' }
  | {
      kind: 'choice';
      reasons: readonly OfferedReason[];
      /** Uuids of the alarms whose rules have no list of reasons. The user can also type a reason for these alarms. */
      withoutList: readonly string[];
    };

/**
 * Returns the reasons to offer. Rules have different lists, so each reason has the uuids of the alarms that accept it.
 * Reasons that most alarms accept come first. An alarm whose rule has no list accepts every reason.
 */
export function offerReasons(alarms: readonly UnacknowledgedAlarm[]): ReasonOffer {
  const firstSpellings = new Map<string, string>();
  for (const reason of alarms.flatMap(({ reasons }) => reasons)) {
    if (!firstSpellings.has(normalizeReason(reason))) {
      firstSpellings.set(normalizeReason(reason), reason);
    }
  }
  if (firstSpellings.size === 0) {
    return { kind: 'own-words' };
  }
  const accepts = ({ reasons }: UnacknowledgedAlarm, key: string) =>
    reasons.length === 0 || reasons.some((reason) => normalizeReason(reason) === key);
  const offered = [...firstSpellings].map(([key, reason]) => ({
    reason,
    acceptedBy: alarms.filter((alarm) => accepts(alarm, key)).map(({ uuid }) => uuid),
  }));
  return {
    kind: 'choice',
    reasons: offered.sort((a, b) => b.acceptedBy.length - a.acceptedBy.length || a.reason.localeCompare(b.reason)),
    withoutList: alarms.filter(({ reasons }) => reasons.length === 0).map(({ uuid }) => uuid),
  };
}

/**
 * Returns the user's texts that no stored acknowledgement contains. They would be lost when the dialog closes. An
 * acknowledgement counts as stored even if the server's response was lost.
 */
export function unsavedTexts(
  { own, note }: { own: string; note: string | null },
  alarms: readonly { acknowledgeJson: unknown }[],
): string[] {
  const recorded = alarms.flatMap(({ acknowledgeJson }) => {
    const given = acknowledgementOf(acknowledgeJson);
    return [given?.reason, given?.text];
  });
  return [own, note ?? ''].map((text) => text.trim()).filter((text) => text !== '' && !recorded.includes(text));
}

const MAX_NAMED = 2;

/**
 * Returns the number and the names of the chosen alarms: `1 of 2: Level high, Quay Street`. If most alarms are chosen,
 * lists the others instead: `4 of 5, all except Level high, Quay Street`.
 */
export function countAndNames(uuids: readonly string[], alarms: readonly NamedAlarm[]): string {
  const those = alarms.filter(({ uuid }) => uuids.includes(uuid));
  const others = alarms.filter(({ uuid }) => !uuids.includes(uuid));
  const count = `${those.length.toLocaleString()} of ${alarms.length.toLocaleString()}`;
  return those.length > others.length ? `${count}, all except ${namesOf(others)}` : `${count}: ${namesOf(those)}`;
}

function namesOf(alarms: readonly NamedAlarm[]): string {
  const names = alarms.slice(0, MAX_NAMED).map(alarmName);
  const more = alarms.length - names.length;
  return names.join('; ') + (more > 0 ? ` and ${more.toLocaleString()} more` : '');
}

/** Normalizes a reason for comparison. The server ignores case too. */
function normalizeReason(reason: string): string {
  return reason.trim().toLowerCase();
}
