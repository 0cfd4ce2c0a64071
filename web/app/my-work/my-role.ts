/**
 * The user's role in an alarm: notified when it opened, notified by an escalation, or due at the next escalation. The
 * delivery status of the messages does not matter.
 */
export type Part = 'addressed' | 'escalated' | 'coming';

interface Named {
  recipients: unknown;
  escalationStep: number;
}

/**
 * Returns the user's role in an alarm, from the recipients stored with the alarm. A user who is not a recipient was
 * notified by an action and counts as addressed.
 */
export function roleOf({ recipients, escalationStep }: Named, me: string): Part {
  if (names(recipients, 'alert', me) || !names(recipients, 'escalate', me)) {
    return 'addressed';
  }
  return escalationStep > 0 ? 'escalated' : 'coming';
}

function names(recipients: unknown, list: 'alert' | 'escalate', uuid: string): boolean {
  const people = typeof recipients === 'object' && recipients !== null && (recipients as Record<string, unknown>)[list];
  return Array.isArray(people) && people.some((person) => (person as { uuid?: unknown } | null)?.uuid === uuid);
}

export const roleTitles: Record<Part, string> = {
  addressed: 'Addressed to you',
  escalated: 'Escalated to you',
  coming: 'Escalates to you next unless someone acknowledges',
};

/** Groups the alarms by role in display order. Empty groups are omitted. */
export function byRole<A extends Named>(alarms: readonly A[], me: string): { part: Part; alarms: A[] }[] {
  return (['escalated', 'addressed', 'coming'] as const)
    .map((part) => ({ part, alarms: alarms.filter((alarm) => roleOf(alarm, me) === part) }))
    .filter((group) => group.alarms.length > 0);
}
