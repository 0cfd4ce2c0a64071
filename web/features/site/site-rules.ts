import { compileConditions } from '../../../domain/rule/conditions.ts';
import { priorityName } from '../../../domain/rule/priority.ts';
import { counted } from '../../kit/format/number.ts';
import { limitWords } from '../rule/index.ts';
import type { SiteOfPage } from './site-page.queries.ts';

export interface SiteRule {
  uuid: string;
  name: string;
  words: string;
  /** Tab of the rules page on which the rule is listed. */
  tab: 'rules' | 'conditions';
}

/** Returns all rules of a site, with limits or with conditions, sorted by name. */
export function rulesOf({ limitRules, conditionRules }: Pick<SiteOfPage, 'limitRules' | 'conditionRules'>): SiteRule[] {
  const said = (enabled: boolean, ...words: (string | undefined)[]) =>
    enabled ? words.filter(Boolean).join(' · ') : 'Disabled';
  const rules = [
    ...limitRules.map(({ uuid, name, enabled, priority, asset, datapoint, ...limits }) => ({
      ...{ uuid, name, tab: 'rules' as const },
      words: said(enabled, asset?.name, limitWords(limits, datapoint?.uom), priorityName(priority)),
    })),
    ...conditionRules.map(({ uuid, ruleName, enabled, ruleJson }) => {
      const compiled = compileConditions(ruleJson);
      const rule = compiled.ok ? compiled.rule : null;
      const points = counted(rule?.datapoints.length ?? 0, 'data point');
      const words = said(enabled, `Conditions of ${points}`, rule ? priorityName(rule.priority) : undefined);
      return { uuid, name: ruleName, tab: 'conditions' as const, words };
    }),
  ];
  return rules.sort((one, other) => one.name.localeCompare(other.name));
}
