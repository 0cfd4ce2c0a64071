/**
 * Why an alarm waits for a person: it is addressed to them, whatever became of the messages; it was escalated to them; or it will be
 * unless somebody acknowledges.
 */
export type Part = 'addressed' | 'escalated' | 'coming';

interface Named {
  recipients: unknown;
  escalationStep: number;
}

/** What a person has to do with an alarm, by those it was frozen with. Whoever is not named was sent a message by hand of an action. */
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
  coming: 'Escalated to you next, unless somebody acknowledges',
};

/** The parts in the order they are shown, each with its alarms; those without any are left out. */
export function byRole<A extends Named>(alarms: readonly A[], me: string): { part: Part; alarms: A[] }[] {
  return (['escalated', 'addressed', 'coming'] as const)
    .map((part) => ({ part, alarms: alarms.filter((alarm) => roleOf(alarm, me) === part) }))
    .filter((group) => group.alarms.length > 0);
}
