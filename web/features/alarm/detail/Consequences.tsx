import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { messageOf } from '../../../api/http.ts';
import { At } from '../../../kit/format/At.tsx';
import { acknowledgementOf, lasted, quietState, severityOf } from '../../../kit/format/alarm.ts';
import { ErrorState } from '../../../ui/Notice.tsx';
import { Card } from '../../../ui/Page.tsx';
import { StateMark } from '../../../ui/StateMark.tsx';
import { stateWords } from '../../../ui/state-words.ts';
import classes from './AlarmPage.module.css';
import { type Consequence, fetchConsequences } from './alarm-detail.queries.ts';

/** Lists the alarms that were recorded under this alarm, because it is their cause. Shows nothing if there are none. */
export function Consequences({ uuid }: { uuid: string }) {
  const query = useQuery({
    queryKey: ['alarm', 'consequences', uuid],
    queryFn: ({ signal }) => fetchConsequences(uuid, signal),
  });
  const { data } = query;
  if (query.isError && data === undefined) {
    return (
      <Card title="Consequences">
        <ErrorState title="Consequences could not be loaded" onRetry={() => void query.refetch()}>
          {messageOf(query.error)}
        </ErrorState>
      </Card>
    );
  }
  if (data === undefined || data.rows.length === 0) return null;
  return (
    <Card
      title={
        <>
          Consequences <span className={classes.count}>{data.total.toLocaleString()}</span>
        </>
      }
    >
      <ul className={classes.rows}>
        {data.rows.map((alarm) => (
          <li key={alarm.uuid}>
            <Row alarm={alarm} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Row({ alarm }: { alarm: Consequence }) {
  const quiet = quietState(alarm);
  const severity = severityOf(alarm.severity);
  const isAcknowledged = acknowledgementOf(alarm.acknowledgeJson) !== null;
  return (
    <>
      <span className={classes.when}>
        <At at={alarm.dateTime} />
      </span>
      <span className={classes.main}>
        <Link to="/dashboard/alarms/$uuid" params={{ uuid: alarm.uuid }}>
          <StateMark
            look="shape"
            state={quiet ?? severity}
            acknowledged={quiet === null && (isAcknowledged || alarm.resolvedDate !== null)}
          />{' '}
          {alarm.message}
        </Link>
        <span className={classes.quiet}>{alarm.siteName}</span>
      </span>
      <span className={classes.note}>
        <span className={classes.quiet}>
          {stateWords[severity]}, {alarm.resolvedDate === null ? 'still open' : `lasted ${lasted(alarm)}`}
        </span>
      </span>
    </>
  );
}
