import { lazy, type ReactNode } from 'react';
import { TbMessageCheck } from 'react-icons/tb';
import { can } from '../../../../domain/permission.ts';
import { counted } from '../../../kit/format/number.ts';
import { Named, Text } from '../../../kit/list/cells.tsx';
import { RecordList } from '../../../kit/record/RecordList.tsx';
import { useActor } from '../../../kit/session/actor.ts';
import { columnsOf } from '../../../ui/table/columns.ts';
import { type ReasonRow, reasonListDefaults, reasonListQuery } from './reason.queries.ts';

const ReasonForm = lazy(() => import('./ReasonForm.tsx'));

const column = columnsOf<ReasonRow>();
const columns = column.columns([
  column.accessor('reason', {
    header: 'Reason',
    enableSorting: false,
    enableHiding: false,
    meta: { strong: true },
    cell: ({ row: { original } }) => <Named name={original.reason} below={whose(original)} />,
  }),
  column.accessor((row) => row.ruleAlert?.tocsinRuleName, {
    id: 'rule',
    header: 'Rule',
    enableSorting: false,
    meta: { wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor((row) => row.ruleAlert?.site?.name, {
    id: 'site',
    header: 'Site',
    enableSorting: false,
    meta: { wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor(({ isNuisance }) => (isNuisance ? 'Nuisance' : ''), {
    id: 'nuisance',
    header: 'Nuisance',
    enableSorting: false,
    meta: { width: 120, wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  column.accessor(linkWords, {
    id: 'links',
    header: 'Only for',
    enableSorting: false,
    meta: { width: 200, wideOnly: true },
  }),
]);

function whose(row: ReasonRow): string {
  const nuisance = row.isNuisance ? 'Nuisance' : '';
  return [row.ruleAlert?.tocsinRuleName, row.ruleAlert?.site?.name, nuisance].filter(Boolean).join(', ');
}

function linkWords(row: ReasonRow): string {
  const parts = [
    ...(row.siteReasons.totalCount > 0 ? [counted(row.siteReasons.totalCount, 'site')] : []),
    ...(row.userReasons.totalCount > 0 ? [counted(row.userReasons.totalCount, 'person', 'people')] : []),
  ];
  return parts.join(', ') || 'Everybody';
}

const exported = [
  { header: 'Reason', value: (row: ReasonRow) => row.reason },
  { header: 'Rule', value: (row: ReasonRow) => row.ruleAlert?.tocsinRuleName ?? '' },
  { header: 'Site', value: (row: ReasonRow) => row.ruleAlert?.site?.name ?? '' },
  { header: 'Nuisance', value: (row: ReasonRow) => (row.isNuisance ? 'Yes' : 'No') },
  { header: 'Only for', value: linkWords },
];

export function ReasonTab({ choice }: { choice: ReactNode }) {
  const actor = useActor();
  return (
    <RecordList
      title="Reasons"
      file="reasons"
      choice={choice}
      defaults={reasonListDefaults}
      query={reasonListQuery}
      columns={columns}
      exported={exported}
      searchHint="Reason, rule or site"
      create={can(actor, 'reason.create') && 'New reason'}
      empty={{
        icon: TbMessageCheck,
        title: 'No reasons yet',
        words: 'A rule alert offers its reasons to people who acknowledge an alarm of the rule.',
      }}
      form={ReasonForm}
    />
  );
}
