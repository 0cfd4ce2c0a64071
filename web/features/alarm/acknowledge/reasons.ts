import { acknowledgementOf } from '../../../kit/format/alarm.ts';
import { alarmName } from '../../../kit/format/alarm-name.ts';

/** An alarm that waits for an acknowledgement, with the reasons its rule allows; none means that any words will do. */
export interface Waiting {
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
  /** The alarms that can be acknowledged with it. */
  takenBy: readonly string[];
}

export type Offer =
  /** No rule has a list: the person writes a reason. */
  | { kind: 'own-words' }
  | {
      kind: 'choice';
      reasons: readonly OfferedReason[];
      /** The alarms whose rules have no list, where others have one: a reason for them can be written too. */
      withoutList: readonly string[];
    };

/**
 * What to offer as reasons for one alarm or many. Rules differ in their lists, so each reason says whose it is; those that
 * settle most alarms stand first. An alarm whose rule has no list takes any reason of the others, or one's own words.
 */
export function offerReasons(alarms: readonly Waiting[]): Offer {
  const known = new Map<string, string>();
  for (const reason of alarms.flatMap(({ reasons }) => reasons)) {
    if (!known.has(sameWords(reason))) {
      known.set(sameWords(reason), reason);
    }
  }
  if (known.size === 0) {
    return { kind: 'own-words' };
  }
  const takes = ({ reasons }: Waiting, key: string) =>
    reasons.length === 0 || reasons.some((reason) => sameWords(reason) === key);
  const offered = [...known].map(([key, reason]) => ({
    reason,
    takenBy: alarms.filter((alarm) => takes(alarm, key)).map(({ uuid }) => uuid),
  }));
  return {
    kind: 'choice',
    reasons: offered.sort((a, b) => b.takenBy.length - a.takenBy.length || a.reason.localeCompare(b.reason)),
    withoutList: alarms.filter(({ reasons }) => reasons.length === 0).map(({ uuid }) => uuid),
  };
}

/**
 * What somebody wrote that stands in none of the acknowledgements: it would be lost with the dialog. What the server took although
 * its answer was lost is recorded.
 */
export function unrecorded(
  { own, note }: { own: string; note: string | null },
  alarms: readonly { acknowledgeJson: unknown }[],
): string[] {
  const recorded = alarms.flatMap(({ acknowledgeJson }) => {
    const given = acknowledgementOf(acknowledgeJson);
    return [given?.reason, given?.text];
  });
  return [own, note ?? ''].map((text) => text.trim()).filter((text) => text !== '' && !recorded.includes(text));
}

const MOST_NAMED = 2;

/** How many of the alarms and which, or which not, whichever are fewer: `1 of 2: Level high, Quay Street`. */
export function someOf(uuids: readonly string[], alarms: readonly NamedAlarm[]): string {
  const those = alarms.filter(({ uuid }) => uuids.includes(uuid));
  const others = alarms.filter(({ uuid }) => !uuids.includes(uuid));
  const count = `${those.length.toLocaleString()} of ${alarms.length.toLocaleString()}`;
  return those.length > others.length ? `${count}, not ${named(others)}` : `${count}: ${named(those)}`;
}

function named(alarms: readonly NamedAlarm[]): string {
  const names = alarms.slice(0, MOST_NAMED).map(alarmName);
  const more = alarms.length - names.length;
  return names.join('; ') + (more > 0 ? ` and ${more.toLocaleString()} more` : '');
}

/** The server compares reasons without regard to capitals. */
function sameWords(reason: string): string {
  return reason.trim().toLowerCase();
}
