import type { SiteAlarm, SiteFacts } from './site-view.queries.ts';

/** Note for an alarm without a rule alert; empty if its rule has one. The alarm of a silent site has no rule. */
export function missingAlertNote(
  { ruleName, severity }: Pick<SiteAlarm, 'ruleName' | 'severity'>,
  { alertNames }: Pick<SiteFacts, 'alertNames'>,
): string {
  return severity === 'silent' || alertNames.includes(ruleName) ? '' : 'no rule alert';
}
