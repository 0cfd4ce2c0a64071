import { lazy, type ReactNode } from 'react';
import { TbRulerMeasure } from 'react-icons/tb';
import { can } from '../../../../domain/permission.ts';
import { rowsOf } from '../../../kit/list/list.ts';
import { RecordList } from '../../../kit/record/RecordList.tsx';
import { useActor } from '../../../kit/session/actor.ts';
import { RuleBulk } from '../RuleBulk.tsx';
import { ruleAlertColumns } from '../rule.columns.tsx';
import { type RuleAlertRow, ruleAlertListDefaults, ruleAlertListQuery } from '../rule.queries.ts';
import { recipientWords } from '../rule-words.ts';
import { removeRuleAlert } from './rule-alert.queries.ts';

const RuleAlertForm = lazy(() => import('./RuleAlertForm.tsx'));

const exported = [
  { header: 'Rule', value: (alert: RuleAlertRow) => alert.tocsinRuleName },
  { header: 'Site', value: (alert: RuleAlertRow) => alert.site?.name ?? '' },
  { header: 'Notified', value: (alert: RuleAlertRow) => recipientWords(rowsOf(alert.ruleAlertUsers)) },
  {
    header: 'Escalates to',
    value: (alert: RuleAlertRow) => (alert.indAck ? alert.ruleEscalateUsers.totalCount : 'not escalated'),
  },
  { header: 'Must be acknowledged', value: (alert: RuleAlertRow) => (alert.indAck ? 'yes' : 'no') },
  {
    header: 'Reasons',
    value: (alert: RuleAlertRow) =>
      rowsOf(alert.reasons)
        .map(({ reason }) => reason)
        .join(', '),
  },
];

export function RuleAlertTab({ choice }: { choice: ReactNode }) {
  const actor = useActor();
  return (
    <RecordList
      title="Rule alerts"
      file="rule-alerts"
      choice={choice}
      defaults={ruleAlertListDefaults}
      query={ruleAlertListQuery}
      columns={ruleAlertColumns}
      exported={exported}
      searchHint="Rule, site or person"
      create={can(actor, 'rule_alert.create') && 'New rule alert'}
      empty={{
        icon: TbRulerMeasure,
        title: 'No rule alerts yet',
        words:
          'A rule alert defines who is notified of a rule’s alarms, and who is notified next if nobody acknowledges.',
      }}
      bulk={
        can(actor, 'rule_alert.delete')
          ? (chosen, choose) => (
              <RuleBulk
                noun="rule_alert"
                one="rule alert"
                chosen={chosen}
                nameOf={(alert) => alert.tocsinRuleName}
                remove={removeRuleAlert}
                onChoose={choose}
              />
            )
          : false
      }
      form={RuleAlertForm}
    />
  );
}
