import { lazy, type ReactNode } from 'react';
import { TbBolt } from 'react-icons/tb';
import { can } from '../../../../domain/permission.ts';
import { Named, Text } from '../../../kit/list/cells.tsx';
import { RecordList } from '../../../kit/record/RecordList.tsx';
import { useActor } from '../../../kit/session/actor.ts';
import { columnsOf } from '../../../ui/table/columns.ts';
import { type ActionRow, actionListDefaults, actionListQuery } from './action.queries.ts';
import { actionWords } from './action-words.ts';

const ActionForm = lazy(() => import('./ActionForm.tsx'));

const whereOf = (row: ActionRow) => [row.asset?.name, row.datapoint?.tocsinDatapointName].filter(Boolean).join(', ');
const yesNo = (value: boolean) => (value ? 'Yes' : 'No');

const column = columnsOf<ActionRow>();
const columns = column.columns([
  column.accessor(actionWords, {
    id: 'what',
    header: 'Effect',
    enableSorting: false,
    enableHiding: false,
    meta: { strong: true },
    cell: ({ row: { original }, getValue }) => (
      <Named name={getValue()} below={[original.site?.name, whereOf(original)].filter(Boolean).join(', ')} />
    ),
  }),
  column.accessor((row) => row.site?.name, {
    id: 'site',
    header: 'Site',
    enableSorting: false,
    meta: { wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor(whereOf, {
    id: 'where',
    header: 'Asset, data point',
    enableSorting: false,
    meta: { wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor((row) => yesNo(row.acknowledge), {
    id: 'acknowledge',
    header: 'Acknowledge',
    enableSorting: false,
    meta: { width: 104, wideOnly: true },
  }),
  column.accessor((row) => yesNo(row.escalate), {
    id: 'escalate',
    header: 'Escalate',
    enableSorting: false,
    meta: { width: 92, wideOnly: true },
  }),
]);

const exported = [
  { header: 'Effect', value: actionWords },
  { header: 'Site', value: (row: ActionRow) => row.site?.name ?? '' },
  { header: 'Asset, data point', value: whereOf },
  { header: 'Acknowledge', value: (row: ActionRow) => yesNo(row.acknowledge) },
  { header: 'Escalate', value: (row: ActionRow) => yesNo(row.escalate) },
];

export function ActionTab({ choice }: { choice: ReactNode }) {
  const actor = useActor();
  return (
    <RecordList
      title="Actions"
      file="actions"
      choice={choice}
      defaults={actionListDefaults}
      query={actionListQuery}
      columns={columns}
      exported={exported}
      searchHint="Site, asset, data point or person"
      create={can(actor, 'action.create') && 'New action'}
      empty={{
        icon: TbBolt,
        title: 'No actions yet',
        words: 'An action runs when an alarm of an asset opens: it notifies more people or queues a sensor command.',
      }}
      form={ActionForm}
    />
  );
}
