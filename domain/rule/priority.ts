export const priorities = ['low', 'medium', 'high', 'critical'] as const;
export type Priority = (typeof priorities)[number];

export type Severity = 'critical' | 'major' | 'minor';

/** What an alarm counts as: a critical rule outranks everything, and a major channel lifts whatever stands on it. */
export function severityOf(priority: Priority, channelMajor: boolean): Severity {
  if (priority === 'critical') return 'critical';
  return priority === 'high' || channelMajor ? 'major' : 'minor';
}
