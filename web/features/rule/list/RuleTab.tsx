import { lazy, type ReactNode } from 'react';
import { TbRulerMeasure } from 'react-icons/tb';
import { plainWords } from '../../../../domain/csv.ts';
import { can } from '../../../../domain/permission.ts';
import { priorityName } from '../../../../domain/rule/priority.ts';
import { RecordList } from '../../../kit/record/RecordList.tsx';
import { useActor } from '../../../kit/session/actor.ts';
import { RuleBulk } from '../RuleBulk.tsx';
import { ruleColumns } from '../rule.columns.tsx';
import { type RuleRow, ruleListDefaults, ruleListQuery } from '../rule.queries.ts';
import { removeRule, switchRule } from '../rule-record.queries.ts';
import { debounceWords, limitWords } from '../rule-words.ts';

const BulkChangeForm = lazy(() =>
  import('../limits/BulkChangeForm.tsx').then((part) => ({ default: part.BulkChangeForm })),
);

const exported = [
  { header: 'Name', value: (rule: RuleRow) => rule.name },
  { header: 'Site', value: (rule: RuleRow) => rule.site?.name ?? '' },
  { header: 'Asset', value: (rule: RuleRow) => rule.asset?.name ?? '' },
  { header: 'Data point', value: (rule: RuleRow) => rule.datapoint?.tocsinDatapointName ?? '' },
  { header: 'Unit', value: (rule: RuleRow) => rule.datapoint?.uom ?? '' },
  { header: 'Lower limit', value: (rule: RuleRow) => rule.valueLower },
  { header: 'Upper limit', value: (rule: RuleRow) => rule.valueUpper },
  { header: 'Out of limits', value: (rule: RuleRow) => plainWords(limitWords(rule, rule.datapoint?.uom)) },
  { header: 'Debounce', value: (rule: RuleRow) => debounceWords(rule.debounce) },
  { header: 'Severity', value: (rule: RuleRow) => priorityName(rule.priority) },
  { header: 'Enabled', value: (rule: RuleRow) => (rule.enabled ? 'yes' : 'no') },
];

/** List of rules. While a rule is being edited, the editor replaces the whole page. */
export function RuleTab({ choice }: { choice: ReactNode }) {
  const actor = useActor();
  return (
    <RecordList
      title="Rules"
      file="rules"
      choice={choice}
      defaults={ruleListDefaults}
      query={ruleListQuery}
      columns={ruleColumns}
      exported={exported}
      searchHint="Name, site, asset or data point"
      create={can(actor, 'rule.create') && 'New rule'}
      empty={{
        icon: TbRulerMeasure,
        title: 'No rules yet',
        words: 'A rule opens an alarm when a value leaves its limits.',
      }}
      bulk={
        can(actor, 'rule.update')
          ? (chosen, choose) => (
              <RuleBulk
                noun="rule"
                one="rule"
                chosen={chosen}
                nameOf={(rule) => rule.name}
                remove={removeRule}
                enable={(rule, enabled) => switchRule(rule.uuid, enabled)}
                form={BulkChangeForm}
                onChoose={choose}
              />
            )
          : false
      }
    />
  );
}
