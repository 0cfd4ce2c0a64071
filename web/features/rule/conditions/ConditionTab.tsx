import { lazy, type ReactNode } from 'react';
import { TbRulerMeasure } from 'react-icons/tb';
import { can } from '../../../../domain/permission.ts';
import { compileConditions } from '../../../../domain/rule/conditions.ts';
import { priorityName } from '../../../../domain/rule/priority.ts';
import { Named, Quantity, Text } from '../../../kit/list/cells.tsx';
import { RecordList } from '../../../kit/record/RecordList.tsx';
import { useActor } from '../../../kit/session/actor.ts';
import { columnsOf } from '../../../ui/table/columns.ts';
import { RuleBulk } from '../RuleBulk.tsx';
import { debounceWords } from '../rule-words.ts';
import {
  type ConditionRow,
  conditionListDefaults,
  conditionListQuery,
  removeCondition,
  switchCondition,
} from './condition.queries.ts';

const ConditionForm = lazy(() => import('./ConditionForm.tsx'));

const compiled = (row: ConditionRow) => {
  const answer = compileConditions(row.ruleJson);
  return answer.ok ? answer.rule : null;
};

const column = columnsOf<ConditionRow>();
const columns = column.columns([
  column.accessor('ruleName', {
    header: 'Name',
    enableHiding: false,
    meta: { strong: true },
    cell: ({ row: { original } }) => <Named name={original.ruleName} below={original.site?.name ?? original.siteId} />,
  }),
  column.accessor((row) => row.site?.name ?? row.siteId, {
    id: 'site',
    header: 'Site',
    enableSorting: false,
    meta: { wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor((row) => compiled(row)?.datapoints.length ?? 0, {
    id: 'datapoints',
    header: 'Data points',
    enableSorting: false,
    meta: { width: 104, align: 'end', wideOnly: true },
    cell: ({ getValue }) => <Quantity value={getValue()} />,
  }),
  column.accessor((row) => debounceWords((compiled(row)?.holdMs ?? 0) / 1000), {
    id: 'debounce',
    header: 'Debounce',
    enableSorting: false,
    meta: { width: 112, wideOnly: true },
  }),
  column.accessor(
    (row) => {
      const rule = compiled(row);
      return rule ? priorityName(rule.priority) : '';
    },
    {
      id: 'priority',
      header: 'Severity',
      enableSorting: false,
      meta: { width: 84, wideOnly: true },
    },
  ),
  column.accessor('enabled', {
    header: 'Status',
    enableSorting: false,
    meta: { width: 92 },
    cell: ({ getValue }) => (getValue() ? 'Active' : 'Disabled'),
  }),
]);

const exported = [
  { header: 'Name', value: (row: ConditionRow) => row.ruleName },
  { header: 'Site', value: (row: ConditionRow) => row.site?.name ?? row.siteId },
  { header: 'Rule', value: (row: ConditionRow) => row.ruleJson },
  { header: 'Enabled', value: (row: ConditionRow) => (row.enabled ? 'yes' : 'no') },
];

export function ConditionTab({ choice }: { choice: ReactNode }) {
  const actor = useActor();
  return (
    <RecordList
      title="Multi-condition rules"
      file="multi-condition-rules"
      choice={choice}
      defaults={conditionListDefaults}
      query={conditionListQuery}
      columns={columns}
      exported={exported}
      searchHint="Name or site"
      create={can(actor, 'rules_json.create') && 'New multi-condition rule'}
      empty={{
        icon: TbRulerMeasure,
        title: 'No multi-condition rules yet',
        words:
          'A multi-condition rule opens an alarm when all or any of its conditions are met, such as pump on and no flow.',
      }}
      bulk={
        can(actor, 'rules_json.update')
          ? (chosen, choose) => (
              <RuleBulk
                noun="rules_json"
                one="rule"
                chosen={chosen}
                nameOf={(row) => row.ruleName}
                remove={async (uuid) => {
                  const row = chosen.find((candidate) => candidate.uuid === uuid);
                  if (row) await removeCondition(row);
                }}
                enable={(row, enabled) => switchCondition(row.uuid, enabled)}
                onChoose={choose}
              />
            )
          : false
      }
      form={ConditionForm}
    />
  );
}
