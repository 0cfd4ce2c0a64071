/**
 * The severities of alarms, worst first. Rules, alarms, messages, reports and exports all use this scale. Only the
 * alarm of a silent site has the severity `silent`. `tocsin_private.severities()` returns the same list in the
 * database.
 */
export const severities = ['critical', 'major', 'minor', 'silent'] as const;
export type Severity = (typeof severities)[number];

export const severityNames: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  major: 'Major',
  minor: 'Minor',
  silent: 'Silent',
};

export const ruleSeverities = ['critical', 'major', 'minor'] as const satisfies readonly Severity[];
export type RuleSeverity = (typeof ruleSeverities)[number];

/** Rules store their severity as a priority. Both `medium` and `low` are minor. */
export const priorities = ['low', 'medium', 'high', 'critical'] as const;
export type Priority = (typeof priorities)[number];

const prioritiesBySeverity: Readonly<Record<RuleSeverity, Priority>> = {
  critical: 'critical',
  major: 'high',
  minor: 'medium',
};

/** Returns the priority that stores a severity. */
export function priorityOf(severity: RuleSeverity): Priority {
  return prioritiesBySeverity[severity];
}

/** Returns the severity of a rule's alarm. A major channel raises a minor rule to major. */
export function severityOf(priority: Priority, channelMajor = false): RuleSeverity {
  if (priority === 'critical') return 'critical';
  return priority === 'high' || channelMajor ? 'major' : 'minor';
}

/** Returns the name of a stored priority for display: `Major`. Unknown text counts as minor, as in `severityOf`. */
export function priorityName(priority: string): string {
  return severityNames[severityOf(priority as Priority)];
}
