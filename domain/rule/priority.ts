export const priorities = ['low', 'medium', 'high', 'critical'] as const;
export type Priority = (typeof priorities)[number];

/** What alarms count as, gravest first. Only the alarm of a site that nothing is heard of is silent. */
export const severities = ['critical', 'major', 'minor', 'silent'] as const;
export type Severity = (typeof severities)[number];

/** What the alarm of a rule counts as: a critical rule outranks everything, and a major channel lifts whatever stands on it. */
export function severityOf(priority: Priority, channelMajor: boolean): Exclude<Severity, 'silent'> {
  if (priority === 'critical') return 'critical';
  return priority === 'high' || channelMajor ? 'major' : 'minor';
}
