import type { SiteAlarm, SiteFacts } from './site-view.queries.ts';

/** Said beside an alarm that no rule alert names; those of the site’s other rules say nothing of it. Silence has no rule. */
export function alertWords(
  { ruleName, severity }: Pick<SiteAlarm, 'ruleName' | 'severity'>,
  { alertNames }: Pick<SiteFacts, 'alertNames'>,
): string {
  return severity === 'silent' || alertNames.includes(ruleName) ? '' : 'no rule alert joins people to it';
}
