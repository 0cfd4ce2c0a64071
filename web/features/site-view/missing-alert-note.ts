import type { SiteAlarm, SiteFacts } from './site-view.queries.ts';

/**
 * Returns a note if the alarm's rule has no rule alert, otherwise an empty string. The alarm of a silent site needs no
 * note, because no rule raises it.
 */
export function missingAlertNote(
  { ruleName, severity }: Pick<SiteAlarm, 'ruleName' | 'severity'>,
  { alertNames }: Pick<SiteFacts, 'alertNames'>,
): string {
  return severity === 'silent' || alertNames.includes(ruleName) ? '' : 'no rule alert';
}
