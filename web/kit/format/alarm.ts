/** Display texts of alarms, from the fields that the server stores. */
import { formatAge } from '../../../domain/age.ts';
import { type Severity, severities } from '../../../domain/rule/priority.ts';

export function severityOf(text: string): Severity {
  return severities.find((severity) => severity === text) ?? 'major';
}

export interface Acknowledgement {
  /** Uuid of the user who acknowledged the alarm; empty if unknown. */
  by: string;
  name: string;
  at: string | null;
  reason: string;
  text: string;
  channel: string;
}

/** Parses `acknowledge_json`; returns null if nobody has acknowledged the alarm. */
export function acknowledgementOf(json: unknown): Acknowledgement | null {
  if (typeof json !== 'object' || json === null) {
    return null;
  }
  const record = json as Record<string, unknown>;
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : '');
  const at = text('at');
  return {
    by: text('by'),
    name: text('name') || 'Somebody',
    at: Number.isNaN(Date.parse(at)) ? null : at,
    reason: text('reason'),
    text: text('text'),
    channel: text('channel'),
  };
}

const quietStates = { shelved: 'shelved', maintenance: 'maintenance', dependency: 'consequence' } as const;

export type QuietState = (typeof quietStates)[keyof typeof quietStates];

type QuietFields = { quietBecause: string | null; resolvedDate?: string | null };

/**
 * Returns the state that an open alarm shows instead of its severity while nobody is notified of it; null for all other
 * alarms. A resolved alarm keeps the fields of its last quiet time.
 */
export function quietState(alarm: QuietFields): QuietState | null {
  if (!alarm.quietBecause || (alarm.resolvedDate ?? null) !== null) return null;
  return quietStates[alarm.quietBecause as keyof typeof quietStates] ?? 'shelved';
}

export function isQuiet(alarm: QuietFields): boolean {
  return quietState(alarm) !== null;
}

const SECOND = 1000;

/** Returns how long the alarm was open, as a text that follows the word `lasted`. Empty while the alarm is open. */
export function lasted({ dateTime, resolvedDate }: { dateTime: string; resolvedDate: string | null }): string {
  if (resolvedDate === null) return '';
  const age = Date.parse(resolvedDate) - Date.parse(dateTime);
  return age < SECOND ? 'less than a second' : formatAge(age);
}

/**
 * Returns the name that the asset had when the alarm opened. An alarm that a person reported has no stored name, so the
 * current name is returned. The result is empty if the alarm has no asset.
 */
export function assetOf({ assetName, asset }: { assetName: string; asset: { name: string } | null }): string {
  return assetName || (asset?.name ?? '');
}

/** Returns site and asset as one line: `Abbey Lane, Pump 1`. */
export function whereOf(alarm: { siteName: string } & Parameters<typeof assetOf>[0]): string {
  return [alarm.siteName, assetOf(alarm)].filter(Boolean).join(', ');
}

export interface Resolution {
  /** Uuid of the user who resolved the alarm; empty if unknown, or if the alarm resolved automatically. */
  by: string;
  /** Name of the user who resolved the alarm; null if the alarm resolved automatically. */
  name: string | null;
  at: string;
  note: string;
}

/** Returns who resolved an alarm, when, and with what note; null while the alarm is open. */
export function resolutionOf(alarm: {
  resolvedDate: string | null;
  resolvedBy: string | null;
  resolvedName: string | null;
  resolvedHow: string | null;
  resolveNote: string | null;
}): Resolution | null {
  const { resolvedDate: at, resolvedBy, resolvedName, resolvedHow, resolveNote } = alarm;
  if (at === null) return null;
  const name = resolvedHow === 'person' ? resolvedName || 'Somebody' : null;
  return { by: resolvedBy ?? '', name, at, note: resolveNote ?? '' };
}

/** Sorts events by time. Events without a time come last. */
export function inOrder<E extends { at: string | null }>(events: readonly E[]): E[] {
  const time = (event: E) => (event.at === null ? Number.POSITIVE_INFINITY : Date.parse(event.at));
  return events.toSorted((a, b) => (time(a) === time(b) ? 0 : time(a) - time(b)));
}

const JUST = 15_000;

/** Returns whether an alarm opened in the last 15 seconds and is still open. */
export function hasJustOpened(
  alarms: readonly { dateTime: string; resolvedDate: string | null }[] | undefined,
  now: Date,
): boolean {
  return (alarms ?? []).some(
    ({ dateTime, resolvedDate }) => resolvedDate === null && now.getTime() - Date.parse(dateTime) < JUST,
  );
}

/** Texts for an alarm that does not exist or that this user is not allowed to see. */
export const notThere = {
  title: 'Alarm not found',
  words:
    'It does not exist, or it belongs to a site that you are not linked to. Ask a manager to link you to the site.',
} as const;
