import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { TbCheck } from 'react-icons/tb';
import { messageOf } from '../../api/http.ts';
import {
  AcknowledgeDialog,
  AlarmCards,
  type AlarmGroup,
  AlarmTable,
  BulkBar,
  REFRESH,
  ResolveDialog,
  ShelveDialog,
  useAlarmDialog,
  useAlarmSelection,
} from '../../features/alarm/index.ts';
import { useUser } from '../../kit/session/session.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import classes from './MyWork.module.css';
import { byRole, roleTitles } from './my-role.ts';
import { fetchAssignedToMe, fetchWaitingForMe } from './my-work.queries.ts';

const noRows: never[] = [];

/**
 * Lists the alarms that are assigned to this user, and then those that need the user's attention, grouped by reason.
 * The lists have the same actions as the alarm list.
 */
export function WaitingAlarms() {
  const me = useUser().uuid;
  const phone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['alarm', 'my-work'],
    queryFn: async ({ signal }) => {
      const [mine, waiting] = await Promise.all([fetchAssignedToMe(signal), fetchWaitingForMe(signal)]);
      return { mine: mine.rows, waiting: waiting.rows, total: mine.total + waiting.total };
    },
    refetchInterval: REFRESH,
  });
  const { data } = query;
  const shown = data && [...data.mine, ...data.waiting];
  const { acknowledging, named, resolving, shelving, link, handle, stop } = useAlarmDialog(undefined);
  const [selecting, setSelecting] = useState(false);
  const selection = useAlarmSelection(shown ?? noRows, handle, () => setSelecting(false));
  const select = (next: boolean) => {
    setSelecting(next);
    selection.clear();
  };
  const open = (uuid: string | undefined) => {
    if (uuid !== undefined) {
      void navigate({ to: '/dashboard/alarms/$uuid', params: { uuid } });
    }
  };
  const groups: AlarmGroup[] | undefined =
    data &&
    [
      { key: 'mine', title: 'Assigned to you', count: undefined, rows: data.mine },
      ...byRole(data.waiting, me).map(({ part, alarms }) => ({
        key: part,
        title: roleTitles[part],
        count: undefined,
        rows: alarms,
      })),
    ].filter(({ rows }) => rows.length > 0);
  const rows = { groups, past: false, openId: undefined, onOpen: open, fetching: false, selection };
  return (
    <section className={classes.card} aria-label="Needs your attention">
      <h2 className={classes.title}>
        Needs your attention {data ? <span className={classes.count}>{data.total.toLocaleString()}</span> : null}
      </h2>
      {query.isError && data === undefined ? (
        <ErrorState title="Your alarms could not be loaded" onRetry={() => void query.refetch()}>
          {messageOf(query.error)}
        </ErrorState>
      ) : shown?.length === 0 ? (
        <EmptyState
          icon={TbCheck}
          title="You’re all caught up"
          action={
            <Button component={Link} to="/dashboard/alarms" variant="default" size="xs">
              All open alarms
            </Button>
          }
        >
          No alarm is assigned to you or is waiting for your acknowledgement.
        </EmptyState>
      ) : phone ? (
        <AlarmCards {...rows} selecting={selecting} onSelect={select} />
      ) : (
        <AlarmTable {...rows} />
      )}
      {selection.selected.length > 0 ? <BulkBar selection={selection} onClear={() => select(false)} /> : null}
      {data && shown && data.total > shown.length ? (
        <p className={classes.more}>
          Showing {shown.length.toLocaleString()} of {data.total.toLocaleString()} alarms, worst first.
        </p>
      ) : null}
      <AcknowledgeDialog uuids={acknowledging} named={named} link={link} onClose={stop} />
      <ResolveDialog alarms={resolving} onClose={stop} />
      <ShelveDialog uuid={shelving} onClose={() => stop(false)} />
    </section>
  );
}
