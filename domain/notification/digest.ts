import type { Severity } from '../rule/priority.ts';
import {
  type DigestCount,
  type DigestFlood,
  type DigestSubject,
  type DigestTexts,
  digestTexts,
} from './digest-texts.ts';
import type { MethodAddress } from './recipients.ts';
import { addressKey, type Candidate } from './stages.ts';

/** Minimum time between two digests of a customer, and maximum time for which a notification waits for its digest. */
export const DIGEST_MS = 60_000;

/** An address that gets an alarm in a digest. */
export interface DigestAddress extends MethodAddress {
  personUuid: string;
  name: string;
}

/** A notification about one alarm that waits for the next digest. */
export interface DigestEntry {
  alarmUuid: string;
  kind: Candidate['kind'];
  /** Identifies the addresses that get the entry. Entries for the same addresses share an audience. */
  audience: string;
  floodUuid: string;
  severity: Severity;
  site: string;
  siteUuid: string | null;
  isAcknowledged: boolean;
  isResolved: boolean;
  isQuiet: boolean;
}

/** The alarms that a digest reports to one audience. Every address of the audience gets all these entries. */
export interface DigestPart<E extends DigestEntry> {
  audience: string;
  entries: E[];
}

/** A digest for one address. */
export interface Digest<E extends DigestEntry> extends DigestAddress {
  parts: readonly DigestPart<E>[];
  /** The first entry. The digest notification refers to this entry's alarm and site. */
  first: E;
  /** The person's other addresses. They get digests too. */
  others: MethodAddress[];
  texts: DigestTexts;
}

const subjects: Readonly<Record<Candidate['kind'], DigestSubject>> = {
  alarm: 'opened',
  action: 'opened',
  health: 'opened',
  digest: 'opened',
  escalation: 'escalated',
  reminder: 'reminder',
  resolve: 'resolved',
};

export function digestSubjectOf({ kind }: Pick<DigestEntry, 'kind'>): DigestSubject {
  return subjects[kind];
}

/**
 * Returns whether a digest entry still concerns its recipients. If its alarm has become quiet, they are notified when
 * the quiet time ends. A message that an alarm is unacknowledged or still open is pointless once that is no longer
 * true.
 */
export function isStillWanted({ kind, isAcknowledged, isResolved, isQuiet }: DigestEntry): boolean {
  if (isQuiet) return false;
  if (kind === 'escalation') return !isAcknowledged && !isResolved;
  return kind !== 'reminder' || !isResolved;
}

/**
 * Composes one digest for each address of the audiences, from entries in the order of their events. An address that two
 * people share gets one digest. `isActive` returns false for a disabled or deleted person, who gets none.
 */
export function planDigests<E extends DigestEntry>(
  entries: readonly E[],
  audiences: ReadonlyMap<string, readonly DigestAddress[]>,
  floods: ReadonlyMap<string, DigestFlood>,
  isActive: (personUuid: string) => boolean,
): Digest<E>[] {
  const parts = [...Map.groupBy(entries, ({ audience }) => audience)].map(([audience, same]) => ({
    audience,
    entries: same,
  }));
  const found = new Map<string, { address: DigestAddress; parts: DigestPart<E>[] }>();
  for (const part of parts) {
    for (const address of audiences.get(part.audience) ?? []) {
      if (!isActive(address.personUuid)) continue;
      const key = addressKey(address);
      const known = found.get(key) ?? { address, parts: [] };
      if (!known.parts.includes(part)) known.parts.push(part);
      found.set(key, known);
    }
  }
  const order = new Map(entries.map((entry, place) => [entry, place]));
  const placeOf = (entry: E) => order.get(entry) as number;
  const texts = new Map<string, DigestTexts>();
  const digests = [...found.values()].map(({ address, parts: own }) => {
    const firsts = own.map(({ entries: same }) => same[0] as E);
    const first = firsts.reduce((one, other) => (placeOf(other) < placeOf(one) ? other : one));
    const key = own.map(({ audience }) => audience).join(' ');
    const composed = texts.get(key) ?? composeParts(own, floods);
    texts.set(key, composed);
    return { ...address, parts: own, first, others: [] as MethodAddress[], texts: composed };
  });
  const byPerson = Map.groupBy(digests, ({ personUuid }) => personUuid);
  for (const digest of digests) {
    const same = byPerson.get(digest.personUuid) ?? [];
    // Another digest can replace this digest only if both report the same alarms.
    const equal = same.filter((other) => other !== digest && other.parts.length === digest.parts.length);
    digest.others = equal
      .filter((other) => digest.parts.every((part) => other.parts.includes(part)))
      .map(({ method, address }) => ({ method, address }));
  }
  return digests;
}

function composeParts<E extends DigestEntry>(
  parts: readonly DigestPart<E>[],
  floods: ReadonlyMap<string, DigestFlood>,
): DigestTexts {
  const counted = new Map<string, DigestCount>();
  const concerned = new Set<DigestFlood>();
  // Several audiences can have entries about one alarm, because a second rule added recipients.
  const seen = new Set<string>();
  for (const entry of parts.flatMap(({ entries }) => entries)) {
    const { alarmUuid, severity, site, floodUuid } = entry;
    const subject = digestSubjectOf(entry);
    const flood = floods.get(floodUuid);
    if (flood) concerned.add(flood);
    if (seen.has(`${alarmUuid} ${subject}`)) continue;
    seen.add(`${alarmUuid} ${subject}`);
    const key = `${subject} ${severity} ${site}`;
    const count = counted.get(key) ?? { subject, severity, site, alarms: 0 };
    counted.set(key, { ...count, alarms: count.alarms + 1 });
  }
  const oldestFirst = [...concerned].toSorted((a, b) => a.beganAt - b.beganAt);
  return digestTexts({ counts: [...counted.values()], floods: oldestFirst });
}

/** Returns the names of people for a sentence: `Ann, Bob and 3 others`. */
function namesOf(names: readonly string[]): string {
  const all = [...new Set(names)];
  if (all.length <= 3) return all.join(', ').replace(/, ([^,]*)$/, ' and $1');
  return `${all.slice(0, 2).join(', ')} and ${all.length - 2} others`;
}

const reported: Readonly<Record<DigestSubject, string>> = {
  opened: 'the alarm',
  resolved: 'the resolution',
  escalated: 'that nobody acknowledged the alarm',
  reminder: 'that the alarm is still open after shelving',
};

/** Returns the timeline text that names the recipients of a digest. */
export function digestSentence(entry: Pick<DigestEntry, 'kind'>, names: readonly string[]): string {
  return `A digest reported ${reported[digestSubjectOf(entry)]} to ${namesOf(names)}.`;
}
