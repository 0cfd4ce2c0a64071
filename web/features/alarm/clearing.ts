export interface Clearing {
  since: string;
  /** When the alarm resolves automatically if the value stays inside; null in old records. */
  until: string | null;
}

interface EventRow {
  at: string;
  kind: string;
  detail: unknown;
}

/** Events that say whether the value is outside or inside. */
const stateEventKinds = new Set(['opened', 'occurred', 'clearing', 'out-again', 'resolved']);

/** Returns since when the value of an open alarm is back inside, or null if it is outside. `events` are oldest first. */
export function clearingSince(events: readonly EventRow[]): Clearing | null {
  const last = events.findLast(({ kind }) => stateEventKinds.has(kind));
  const { because, until } = (last?.detail ?? {}) as { because?: unknown; until?: unknown };
  // A clearing event with another cause, such as `left-clear-limits`, means that the alarm stays open.
  if (last?.kind !== 'clearing' || because !== 'back-inside') {
    return null;
  }
  return { since: last.at, until: typeof until === 'number' ? new Date(until).toISOString() : null };
}
