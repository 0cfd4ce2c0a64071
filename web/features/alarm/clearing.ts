export interface Clearing {
  since: string;
  /** When the alarm resolves by itself if the value stays there; null where its record does not say. */
  until: string | null;
}

interface EventRow {
  at: string;
  kind: string;
  detail: unknown;
}

/** What says whether a value is out or back. */
const kinds = new Set(['opened', 'occurred', 'clearing', 'out-again', 'resolved']);

/** Since when the value of an open alarm is back, by what happened to the alarm, newest last; null where it is not. */
export function clearingSince(events: readonly EventRow[]): Clearing | null {
  const last = events.findLast(({ kind }) => kinds.has(kind));
  const { because, until } = (last?.detail ?? {}) as { because?: unknown; until?: unknown };
  // An alarm whose value left the clear limits again stays open.
  if (last?.kind !== 'clearing' || because !== 'back-inside') {
    return null;
  }
  return { since: last.at, until: typeof until === 'number' ? new Date(until).toISOString() : null };
}
