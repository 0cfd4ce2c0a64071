import type { RuleOffender } from '../alarm-report.queries.ts';

/** Returns the link to the page where the user edits the rule. A digital alarm is edited on its data point. */
export function ruleEditorLink({
  uuid,
  source,
  ruleName,
  siteName,
}: Pick<RuleOffender, 'uuid' | 'source' | 'ruleName' | 'siteName'>) {
  const record = uuid ?? '';
  if (source === 'digital') return { to: '/admin/datapoints', search: { record } } as const;
  if (source === 'conditions') return { to: '/admin/rules', search: { tab: 'conditions', record } } as const;
  return { to: '/admin/rules', search: { q: `${ruleName} ${siteName}`, record } } as const;
}
