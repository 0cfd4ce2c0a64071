import { IconRulerMeasure } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { can } from '../../../domain/permission.ts';
import { compileConditions } from '../../../domain/rule/conditions.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { PageTitle } from '../../ui/Page.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { useActor } from '../auth/actor.ts';
import { Named, Quantity, Text } from '../list/cells.tsx';
import { ExportButton } from '../list/ExportButton.tsx';
import { NewButton } from '../list/NewButton.tsx';
import { useList } from '../list/useList.ts';
import { useSelection } from '../list/useSelection.ts';
import { NEW, useRecordAddress } from '../record/useRecordAddress.ts';
import {
  type ConditionRow,
  conditionListDefaults,
  conditionListQuery,
  removeCondition,
  switchCondition,
} from './condition.queries.ts';
import { ManyRules } from './ManyRules.tsx';
import { debounceWords, priorityWords } from './rule-words.ts';

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
  column.accessor((row) => priorityWords[compiled(row)?.priority ?? ''] ?? '', {
    id: 'priority',
    header: 'Priority',
    enableSorting: false,
    meta: { width: 84, wideOnly: true },
  }),
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
  const client = useQueryClient();
  const [view, setView] = useListView(conditionListDefaults);
  const list = useList(conditionListQuery(view));
  const { open, openRecord, close } = useRecordAddress();
  const { chosen, choose, ...selection } = useSelection(list.rows, (row) => row.uuid);
  const create = can(actor, 'rules_json.create') ? (
    <NewButton onClick={() => openRecord(NEW)}>New multi-condition rule</NewButton>
  ) : null;
  return (
    <>
      <PageTitle
        count={list.total}
        actions={
          <>
            {choice}
            <ExportButton
              name="multi-condition-rules"
              view={view}
              fetch={(page) => client.fetchQuery(conditionListQuery(page))}
              columns={exported}
            />
            {create}
          </>
        }
      >
        Multi-condition rules
      </PageTitle>
      <DataTable
        {...list}
        label="Multi-condition rules"
        columns={columns}
        rowId={(row) => row.uuid}
        view={view}
        onViewChange={setView}
        searchHint="Name or site"
        onOpen={(row) => openRecord(row.uuid)}
        openId={open}
        {...(can(actor, 'rules_json.update') && selection)}
        bulkBar={
          <ManyRules
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
        }
        empty={
          <EmptyState icon={IconRulerMeasure} title="No multi-condition rules yet" action={create}>
            A rule of several conditions opens an alarm when all or any of them hold, such as pump on and no flow.
          </EmptyState>
        }
      />
      {open === undefined ? null : (
        <Suspense fallback={null}>
          <ConditionForm key={open} uuid={open === NEW ? null : open} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
