export interface Clearing {
  since: string;
  /** Time at which the alarm resolves automatically if the value stays normal; null if the event contains no time. */
  until: string | null;
}

interface EventRow {
  at: string;
  kind: string;
  detail: unknown;
}

/** Events that show whether the value is outside its limits or back to normal. */
const stateEventKinds = new Set(['opened', 'occurred', 'clearing', 'out-again', 'resolved']);

/**
 * Returns when the value of an open alarm returned to normal, and when the alarm resolves. Returns null if the value is
 * not back to normal. `events` are sorted oldest first.
 */
export function clearingSince(events: readonly EventRow[]): Clearing | null {
  const last = events.findLast(({ kind }) => stateEventKinds.has(kind));
  const { because, until } = (last?.detail ?? {}) as { because?: unknown; until?: unknown };
  // A `clearing` event with another cause, such as `left-clear-limits`, means that the alarm stays open.
  if (last?.kind !== 'clearing' || because !== 'back-inside') {
    return null;
  }
  return { since: last.at, until: typeof until === 'number' ? new Date(until).toISOString() : null };
}
