import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { TbMail } from 'react-icons/tb';
import { messageOf } from '../../api/http.ts';
import { MessageList, REFRESH } from '../../features/alarm/index.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { type ListDefaults, offsetOf } from '../../ui/table/list-view.ts';
import { Paging } from '../../ui/table/Paging.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import classes from './MyWork.module.css';
import { fetchMyNotifications } from './my-work.queries.ts';

const defaults: ListDefaults = { size: 25 };

/** Lists every message sent to this user, with its method, alarm and result. */
export function MyMessages() {
  const [view, setView] = useListView(defaults);
  const query = useQuery({
    queryKey: ['alarm', 'my-notifications', view.size, view.page],
    queryFn: ({ signal }) => fetchMyNotifications({ size: view.size, offset: offsetOf(view) }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH,
  });
  const { data } = query;
  return (
    <section className={classes.card} aria-label="My messages">
      <h2 className={classes.title}>
        My messages {data ? <span className={classes.count}>{data.total.toLocaleString()}</span> : null}
      </h2>
      {query.isError && data === undefined ? (
        <ErrorState title="Your messages could not be loaded" onRetry={() => void query.refetch()}>
          {messageOf(query.error)}
        </ErrorState>
      ) : data === undefined ? (
        <div className={classes.more} role="status" aria-label="Loading">
          <Skeleton width="60%" />
        </div>
      ) : data.rows.length === 0 ? (
        <EmptyState icon={TbMail} title="No messages yet">
          Alarms you are notified about appear here.
        </EmptyState>
      ) : (
        <>
          <MessageList messages={data.rows} byAlarm />
          <Paging view={view} total={data.total} onViewChange={setView} foot={undefined} />
        </>
      )}
    </section>
  );
}
