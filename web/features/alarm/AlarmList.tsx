import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { messageOf } from '../../api/http.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { isNarrowed, type ListView, widened, withFilter } from '../../ui/table/list-view.ts';
import { Paging } from '../../ui/table/Paging.tsx';
import { AlarmCards } from './AlarmCards.tsx';
import classes from './AlarmList.module.css';
import { AlarmTable } from './AlarmTable.tsx';
import type { AlarmRow } from './alarm.queries.ts';
import { groupsOf } from './groups.ts';
import { useOpenAlarms } from './useOpenAlarms.ts';

interface AlarmListProps {
  list: UseQueryResult<{ total: number; rows: AlarmRow[] }>;
  past: boolean;
  view: ListView;
  onViewChange: (next: ListView) => void;
  openId: string | undefined;
  onOpen: (uuid: string | undefined) => void;
}

/** One page of alarms: a table on a desk, cards under a thumb. */
export function AlarmList({ list, past, view, onViewChange, openId, onOpen }: AlarmListProps) {
  const phone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  const counts = useOpenAlarms().data;
  const { data } = list;
  const narrowed = isNarrowed({ ...view, filters: { ...view.filters, show: '' } });
  const body = () => {
    if (list.isError && !data) {
      return (
        <ErrorState title="The alarms could not be loaded" onRetry={() => void list.refetch()}>
          {messageOf(list.error)}
        </ErrorState>
      );
    }
    if (data && data.rows.length === 0) {
      return <Nothing past={past} narrowed={narrowed} view={view} onViewChange={onViewChange} />;
    }
    // The groups' own numbers hold for the whole list only while nothing narrows it.
    const groups = data && groupsOf(data.rows, past, narrowed ? undefined : counts);
    const Rows = phone ? AlarmCards : AlarmTable;
    return <Rows groups={groups} past={past} openId={openId} onOpen={onOpen} fetching={list.isPlaceholderData} />;
  };
  return (
    <div className={classes.card}>
      {body()}
      {data && data.rows.length > 0 ? (
        <Paging view={view} total={data.total} onViewChange={onViewChange} foot={undefined} />
      ) : null}
    </div>
  );
}

interface NothingProps {
  past: boolean;
  narrowed: boolean;
  view: ListView;
  onViewChange: (next: ListView) => void;
}

function Nothing({ past, narrowed, view, onViewChange }: NothingProps) {
  const go = (show: string) => onViewChange({ ...widened(view), filters: { show } });
  if (narrowed) {
    return (
      <EmptyState
        title={`No ${past ? 'past' : 'open'} alarm matches${view.search ? ` “${view.search}”` : ' the filter'}`}
        action={
          <Button variant="default" size="xs" onClick={() => go(past ? 'past' : '')}>
            Clear
          </Button>
        }
      >
        {past
          ? 'It may still be open, or lie under another word.'
          : 'It may have been resolved: look among the past ones.'}
      </EmptyState>
    );
  }
  return past ? (
    <EmptyState
      title="No past alarms"
      action={
        <Button variant="default" size="xs" onClick={() => go('')}>
          Open alarms
        </Button>
      }
    >
      An alarm comes here when it is resolved.
    </EmptyState>
  ) : (
    <EmptyState
      icon={IconCheck}
      title="No open alarms"
      action={
        <Button variant="default" size="xs" onClick={() => onViewChange(withFilter(view, 'show', 'past'))}>
          Past alarms
        </Button>
      }
    >
      Nothing is out of its limits, and every site is heard.
    </EmptyState>
  );
}
