import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { messageOf } from '../../api/http.ts';
import { At } from '../../kit/format/At.tsx';
import { SignalBars } from '../../kit/format/SignalBars.tsx';
import { useOfficeColumn } from '../../kit/session/useLevelNames.ts';
import { useFirstAnswer } from '../../ui/first-answer.ts';
import { StateMark } from '../../ui/StateMark.tsx';
import { columnsOf } from '../../ui/table/columns.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { type ListView, offsetOf } from '../../ui/table/list-view.ts';
import { Age } from '../../ui/time/Age.tsx';
import { type BoardFilter, type BoardSite, fetchBoard, SELDOM } from './dashboard.queries.ts';
import classes from './SiteList.module.css';
import { useLiveBoardSite } from './useLiveBoardSite.ts';
import { useSiteTile } from './useSiteTile.ts';

const column = columnsOf<BoardSite>();
const fixed = { enableSorting: false, enableHiding: false } as const;

const columns = column.columns([
  column.display({
    id: 'state',
    header: 'State',
    ...fixed,
    meta: { width: 136, narrow: 104 },
    cell: ({ row }) => <SiteState site={row.original} />,
  }),
  column.accessor('name', {
    header: 'Site',
    ...fixed,
    meta: { strong: true },
    cell: ({ row }) => (
      <Link className={classes.site} to="/dashboard/site/$uuid" params={{ uuid: row.original.uuid }}>
        {row.original.name}
      </Link>
    ),
  }),
  column.display({
    id: 'words',
    header: 'Message or data point',
    ...fixed,
    meta: { quiet: true, wideOnly: true },
    cell: ({ row }) => <SiteWords site={row.original} />,
  }),
  column.display({
    id: 'value',
    header: 'Value',
    ...fixed,
    meta: { align: 'end', width: 104, narrow: 92 },
    cell: ({ row }) => <SiteValue site={row.original} />,
  }),
  column.display({
    id: 'office',
    header: 'Unit office',
    ...fixed,
    meta: { quiet: true, wideOnly: true, width: 136 },
    cell: ({ row }) => row.original.group5?.name ?? '–',
  }),
  column.accessor('siteType', { header: 'Type', ...fixed, meta: { quiet: true, wideOnly: true, width: 136 } }),
  column.display({
    id: 'signal',
    header: 'Signal',
    ...fixed,
    meta: { quiet: true, wideOnly: true, width: 112 },
    cell: ({ row }) => (
      <span className={classes.signal}>
        <SignalBars dbm={row.original.gsmSignalStrength} />
      </span>
    ),
  }),
  column.accessor('lastUpdate', {
    header: 'Last contact',
    ...fixed,
    meta: { align: 'end', quiet: true, wideOnly: true, width: 112 },
    cell: ({ row }) => <SiteHeard site={row.original} />,
  }),
]);

interface CellProps {
  site: BoardSite;
}

function SiteState({ site }: CellProps) {
  const { state, acknowledged, word } = useSiteTile(site);
  return (
    <span className={classes.state}>
      <StateMark state={state} acknowledged={acknowledged} word={word} />
    </span>
  );
}

function SiteWords({ site }: CellProps) {
  const { words, quietUntil } = useSiteTile(site);
  return quietUntil === null ? (
    words
  ) : (
    <>
      {words}, until <At at={quietUntil} />
    </>
  );
}

function SiteValue({ site }: CellProps) {
  const { value } = useSiteTile(site);
  if (!value) return '–';
  return (
    <span data-measured>
      {value.text} <small className={classes.unit}>{value.unit}</small>
    </span>
  );
}

function SiteHeard({ site }: CellProps) {
  return <Age at={useLiveBoardSite(site).lastUpdate} never="never" />;
}

interface SiteListProps {
  filter: BoardFilter;
  view: ListView;
  onViewChange: (next: ListView) => void;
  empty: ReactNode;
  /** Called with the page's sites whenever they change. */
  onShow: (uuids: readonly string[]) => void;
}

/** Shows the sites of the dashboard as a table, in the same order as the tiles. */
export function SiteList({ filter, view, onViewChange, empty, onShow }: SiteListProps) {
  const list = useQuery({
    queryKey: ['dashboard', 'list', filter, view.size, view.page],
    queryFn: ({ signal }) => fetchBoard(filter, view.size, offsetOf(view), signal),
    placeholderData: keepPreviousData,
    refetchInterval: SELDOM,
  });
  const page = useFirstAnswer(list.data);
  const shown = (list.data?.sites ?? []).map(({ uuid }) => uuid).join();
  useEffect(() => {
    if (shown !== '') onShow(shown.split(','));
  }, [shown, onShow]);
  return (
    <DataTable
      label="Sites by state"
      columns={useOfficeColumn(columns)}
      rows={page?.sites}
      total={page?.total}
      rowId={(site) => site.uuid}
      bare
      // The dashboard filters the list and shows the empty state, so the table has no search and no filters of its own.
      view={{ ...view, search: '', filters: {} }}
      onViewChange={(next) => onViewChange({ ...next, search: view.search, filters: view.filters })}
      fetching={list.isPlaceholderData}
      error={list.isError && !list.data ? messageOf(list.error) : null}
      onRetry={() => void list.refetch()}
      empty={empty}
    />
  );
}
