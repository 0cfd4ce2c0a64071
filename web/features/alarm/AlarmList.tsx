import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../api/http.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { isNarrowed, type ListView, widened, withFilter } from '../../ui/table/list-view.ts';
import { Paging } from '../../ui/table/Paging.tsx';
import { AlarmCards } from './AlarmCards.tsx';
import classes from './AlarmList.module.css';
import { AlarmTable } from './AlarmTable.tsx';
import type { AlarmRow } from './alarm.queries.ts';
import { BulkBar } from './BulkBar.tsx';
import { groupsOf } from './groups.ts';
import { type Handle, useChoosing } from './useChoosing.ts';
import { useOpenAlarms } from './useOpenAlarms.ts';

interface AlarmListProps {
  list: UseQueryResult<{ total: number; rows: AlarmRow[] }>;
  past: boolean;
  view: ListView;
  onViewChange: (next: ListView) => void;
  openId: string | undefined;
  onOpen: (uuid: string | undefined) => void;
  onHandle: Handle;
}

/** One page of alarms: a table on a desk, cards under a thumb. */
export function AlarmList({ list, past, view, onViewChange, openId, onOpen, onHandle }: AlarmListProps) {
  const phone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  const counts = useOpenAlarms().data;
  const { data } = list;
  const choosing = useChoosing(data?.rows ?? noRows, onHandle);
  const [selecting, setSelecting] = useState(false);
  const select = (next: boolean) => {
    setSelecting(next);
    choosing.clear();
  };
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
    const rows = { groups, past, openId, onOpen, fetching: list.isPlaceholderData, choosing };
    return phone ? <AlarmCards {...rows} selecting={selecting} onSelect={select} /> : <AlarmTable {...rows} />;
  };
  return (
    <div className={classes.card}>
      {body()}
      {data && data.rows.length > 0 ? (
        <div className={classes.foot}>
          {choosing.chosen.length > 0 ? (
            <BulkBar choosing={choosing} onClear={() => select(false)} />
          ) : phone ? null : (
            <Keys handling={choosing.allowed} />
          )}
          <Paging view={view} total={data.total} onViewChange={onViewChange} foot={undefined} />
        </div>
      ) : null}
    </div>
  );
}

const noRows: never[] = [];

/** The keys of the list, for those who would not guess them. */
function Keys({ handling }: { handling: boolean }) {
  return (
    <div className={classes.keys}>
      <span>
        <kbd>j</kbd>
        <kbd>k</kbd>move
      </span>
      {handling ? (
        <>
          <span>
            <kbd>x</kbd>select
          </span>
          <span>
            <kbd>a</kbd>acknowledge
          </span>
          <span>
            <kbd>r</kbd>resolve
          </span>
        </>
      ) : null}
      <span>
        <kbd>Enter</kbd>open
      </span>
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
