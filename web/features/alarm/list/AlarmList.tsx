import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { TbCheck } from 'react-icons/tb';
import { messageOf } from '../../../api/http.ts';
import { isKeyListOpen, type KeyWords, useListedKeys } from '../../../kit/page/key-list.ts';
import { LoadError } from '../../../kit/page/LoadError.tsx';
import { useFirstAnswer } from '../../../ui/first-answer.ts';
import { EmptyState, ErrorState } from '../../../ui/Notice.tsx';
import type { ListView } from '../../../ui/table/list-view.ts';
import { Paging } from '../../../ui/table/Paging.tsx';
import frame from '../../../ui/table/TableFrame.module.css';
import classes from '../AlarmList.module.css';
import type { AlarmRow } from '../alarm.queries.ts';
import { listKeys } from '../alarm-keys.ts';
import { useOpenAlarms } from '../bell/useOpenAlarms.ts';
import { AlarmCards } from './AlarmCards.tsx';
import { AlarmTable } from './AlarmTable.tsx';
import { filterWords, isFiltered, type Show, showOf, withoutFilters, withPastAlarms } from './alarm-filter.ts';
import { groupsBySite, groupsOf } from './alarm-groups.ts';
import { BulkBar } from './BulkBar.tsx';
import type { AlarmSelection } from './useAlarmSelection.ts';
import { useFilterNames } from './useFilterNames.ts';
import { useNewRows } from './useNewRows.ts';

interface AlarmListProps {
  list: UseQueryResult<{ total: number; rows: AlarmRow[] }>;
  /** Identifies the filter and the page. When the key changes, no row counts as new. */
  listKey: string;
  view: ListView;
  onViewChange: (next: ListView) => void;
  openId: string | undefined;
  onOpen: (uuid: string | undefined) => void;
  selection: AlarmSelection;
  /** True if the selection mode for phones is on. */
  selecting: boolean;
  onSelecting: (next: boolean) => void;
}

/** One page of alarms, shown as a table on wide screens and as cards on phones. */
export function AlarmList(props: AlarmListProps) {
  const { list, listKey, view, onViewChange, openId, onOpen, selection, selecting, onSelecting } = props;
  const phone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  const counts = useOpenAlarms().data;
  const data = useFirstAnswer(list.data);
  const select = (next: boolean) => {
    onSelecting(next);
    selection.clear();
  };
  const show = showOf(view);
  const keys = phone ? [] : listKeys(selection.allowed, show === 'past');
  useListedKeys(keys);
  const isFilterActive = isFiltered(view);
  const newUuids = useNewRows(list.isPlaceholderData ? undefined : data?.rows, listKey);
  const body = () => {
    if (list.isError && !list.data) {
      return (
        <ErrorState title="The alarms could not be loaded" onRetry={() => void list.refetch()}>
          {messageOf(list.error)}
        </ErrorState>
      );
    }
    if (data && data.rows.length === 0) {
      return <EmptyList show={show} isFilterActive={isFilterActive} view={view} onViewChange={onViewChange} />;
    }
    // `counts` covers all open alarms, so its numbers are correct only for the unfiltered list.
    const states = (rows: readonly AlarmRow[]) =>
      groupsOf(rows, show === 'past', isFilterActive || show === 'mine' ? undefined : counts);
    const groups = data && (view.filters.by === 'site' ? groupsBySite(data.rows) : states(data.rows));
    const common = { past: show === 'past', all: show === 'all', openId, onOpen, newUuids, selection };
    const rows = { ...common, groups, fetching: list.isPlaceholderData };
    const table = phone ? <AlarmCards {...rows} selecting={selecting} onSelect={select} /> : <AlarmTable {...rows} />;
    return data ? table : <LoadError query={list}>{table}</LoadError>;
  };
  return (
    <div className={`${frame.card} ${classes.card}`}>
      {body()}
      {data && data.rows.length > 0 ? (
        <div className={classes.foot}>
          {selection.selected.length > 0 ? (
            <BulkBar selection={selection} onClear={() => select(false)} />
          ) : phone ? null : (
            <KeyHints all={keys} />
          )}
          <Paging view={view} total={data.total} onViewChange={onViewChange} foot={undefined} />
        </div>
      ) : null}
    </div>
  );
}

function KeyHints({ all }: { all: readonly KeyWords[] }) {
  return (
    <div className={classes.keys}>
      {all.map(({ keys, short }) =>
        short === undefined ? null : (
          <span key={short}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
            {short}
          </span>
        ),
      )}
      <button type="button" onClick={() => isKeyListOpen.set(true)}>
        <kbd aria-hidden>?</kbd>All keys
      </button>
    </div>
  );
}

interface EmptyListProps {
  show: Show;
  isFilterActive: boolean;
  view: ListView;
  onViewChange: (next: ListView) => void;
}

function EmptyList({ show, isFilterActive, view, onViewChange }: EmptyListProps) {
  const go = (next: Show) => onViewChange(withoutFilters(view, next));
  const past = show === 'past';
  const kind = show === 'all' ? '' : show === 'mine' ? 'open ' : `${show} `;
  const words = filterWords(view, useFilterNames(view));
  if (isFilterActive) {
    return (
      <EmptyState
        title={`No ${kind}alarm ${show === 'mine' ? 'assigned to you ' : ''}matches${view.search ? ` “${view.search}”` : ' the filter'}`}
        action={
          <>
            {show === 'open' ? (
              <Button variant="default" size="xs" onClick={() => onViewChange(withPastAlarms(view))}>
                Search past alarms
              </Button>
            ) : null}
            <Button variant="default" size="xs" onClick={() => go(show)}>
              Clear
            </Button>
          </>
        }
      >
        {words === '' ? '' : `Filtered by ${words}. `}
        {show === 'open' || show === 'mine'
          ? 'Resolved alarms are under Past.'
          : 'Try another search term or date range.'}
      </EmptyState>
    );
  }
  if (show === 'mine') {
    return (
      <EmptyState
        title="No open alarm is assigned to you"
        action={
          <Button variant="default" size="xs" onClick={() => go('open')}>
            Open alarms
          </Button>
        }
      >
        Take an open alarm to show others that you work on it.
      </EmptyState>
    );
  }
  if (show === 'shelved') {
    return (
      <EmptyState
        title="No shelved alarms"
        action={
          <Button variant="default" size="xs" onClick={() => go('open')}>
            Open alarms
          </Button>
        }
      >
        Shelve an open alarm to notify nobody of it for a limited time.
      </EmptyState>
    );
  }
  return past ? (
    <EmptyState
      title="No past alarms"
      action={
        <Button variant="default" size="xs" onClick={() => go('open')}>
          Open alarms
        </Button>
      }
    >
      Resolved alarms appear here.
    </EmptyState>
  ) : (
    <EmptyState
      icon={TbCheck}
      title={show === 'all' ? 'No alarms' : 'No open alarms'}
      action={
        <Button variant="default" size="xs" onClick={() => go('past')}>
          Past alarms
        </Button>
      }
    >
      {show === 'all'
        ? 'No rule has opened an alarm, and no connected site is silent.'
        : 'Resolved alarms are under Past.'}
    </EmptyState>
  );
}
