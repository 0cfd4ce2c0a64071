import { priorityName } from '../../../domain/rule/priority.ts';
import { Named, Quantity, Text } from '../../kit/list/cells.tsx';
import { rowsOf } from '../../kit/list/list.ts';
import { columnsOf } from '../../ui/table/columns.ts';
import type { RuleAlertRow, RuleRow } from './rule.queries.ts';
import { debounceWords, limitWords, recipientWords } from './rule-words.ts';

const rule = columnsOf<RuleRow>();

export const ruleColumns = rule.columns([
  rule.accessor('name', {
    header: 'Name',
    enableHiding: false,
    meta: { strong: true },
    cell: ({ row: { original } }) => <Named name={original.name} below={original.site?.name} />,
  }),
  rule.accessor((row) => row.site?.name, {
    id: 'site',
    header: 'Site',
    enableSorting: false,
    meta: { wideOnly: true, roomyOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  rule.accessor((row) => [row.asset?.name, row.datapoint?.tocsinDatapointName].filter(Boolean).join(', '), {
    id: 'datapoint',
    header: 'Asset, data point',
    enableSorting: false,
    meta: { wideOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  rule.accessor((row) => limitWords(row, row.datapoint?.uom), {
    id: 'limits',
    header: 'Out of limits',
    enableSorting: false,
    meta: { width: 172, narrow: 116 },
    cell: ({ row: { original }, getValue }) => <Named name={getValue()} below={debounceWords(original.debounce)} />,
  }),
  rule.accessor((row) => debounceWords(row.debounce), {
    id: 'debounce',
    header: 'Debounce',
    enableSorting: false,
    meta: { width: 112, wideOnly: true },
  }),
  rule.accessor((row) => priorityName(row.priority), {
    id: 'priority',
    header: 'Severity',
    enableSorting: false,
    meta: { width: 84, wideOnly: true },
  }),
  rule.accessor('enabled', {
    header: 'Status',
    enableSorting: false,
    meta: { width: 92, wideOnly: true },
    cell: ({ getValue }) => (getValue() ? 'Active' : 'Disabled'),
  }),
]);

const alert = columnsOf<RuleAlertRow>();

export const ruleAlertColumns = alert.columns([
  alert.accessor('tocsinRuleName', {
    header: 'Rule',
    enableHiding: false,
    meta: { strong: true },
    cell: ({ row: { original } }) => <Named name={original.tocsinRuleName} below={original.site?.name} />,
  }),
  alert.accessor((row) => row.site?.name, {
    id: 'site',
    header: 'Site',
    enableSorting: false,
    meta: { wideOnly: true, roomyOnly: true },
    cell: ({ getValue }) => <Text>{getValue()}</Text>,
  }),
  alert.accessor((row) => recipientWords(rowsOf(row.ruleAlertUsers)), {
    id: 'recipients',
    header: 'Notified',
    enableSorting: false,
    meta: { width: 208, wideOnly: true },
  }),
  alert.accessor((row) => row.ruleEscalateUsers.totalCount, {
    id: 'escalates',
    header: 'Escalates to',
    enableSorting: false,
    meta: { width: 112, align: 'end', wideOnly: true },
    cell: ({ getValue, row }) => (row.original.indAck ? <Quantity value={getValue()} /> : 'Not escalated'),
  }),
  alert.accessor('indAck', {
    header: 'Acknowledge',
    enableSorting: false,
    meta: { width: 104 },
    cell: ({ getValue }) => (getValue() ? 'Required' : 'Not required'),
  }),
  alert.accessor(
    (row) =>
      rowsOf(row.reasons)
        .map((reason) => reason.reason)
        .join(', '),
    {
      id: 'reasons',
      header: 'Reasons',
      enableSorting: false,
      meta: { width: 320, quiet: true, wideOnly: true },
      cell: ({ getValue }) => (
        <span title={getValue()}>
          <Text>{getValue()}</Text>
        </span>
      ),
    },
  ),
]);
