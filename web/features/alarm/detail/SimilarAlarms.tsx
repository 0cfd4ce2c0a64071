import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { messageOf } from '../../../api/http.ts';
import { At } from '../../../kit/format/At.tsx';
import { acknowledgementOf, lasted, severityOf } from '../../../kit/format/alarm.ts';
import { ErrorState } from '../../../ui/Notice.tsx';
import { Card } from '../../../ui/Page.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { StateMark } from '../../../ui/StateMark.tsx';
import classes from './AlarmPage.module.css';
import { fetchSimilar, type SimilarAlarm } from './alarm-detail.queries.ts';
import { noSimilarWords, reasonCounts } from './similar.ts';

const SHOWN = 10;

/** Lists other alarms of the same rule or data point, with their reasons, durations and resolution notes. */
export function SimilarAlarms({ uuid, source }: { uuid: string; source: string }) {
  const query = useQuery({
    queryKey: ['alarm', 'similar', uuid],
    queryFn: ({ signal }) => fetchSimilar(uuid, signal),
  });
  const { data } = query;
  if (query.isError && data === undefined) {
    return (
      <Card title="Similar alarms">
        <ErrorState title="Similar alarms could not be loaded" onRetry={() => void query.refetch()}>
          {messageOf(query.error)}
        </ErrorState>
      </Card>
    );
  }
  if (data === undefined) {
    return (
      <Card title="Similar alarms">
        <div className={classes.padded} role="status" aria-label="Loading">
          <Skeleton width="60%" />
        </div>
      </Card>
    );
  }
  const reasons = reasonCounts(data.rows);
  return (
    <Card
      title={
        <>
          Similar alarms <span className={classes.count}>{data.total.toLocaleString()}</span>
        </>
      }
    >
      {data.rows.length === 0 ? (
        <p className={classes.padded}>{noSimilarWords(source)}</p>
      ) : (
        <>
          {reasons.length > 0 ? (
            <p className={classes.padded}>
              Earlier reasons:{' '}
              {reasons.slice(0, 5).map(({ reason, times }, index) => (
                <span key={reason}>
                  {index > 0 ? ', ' : ''}
                  <b>{reason}</b> {times > 1 ? `${times.toLocaleString()} times` : 'once'}
                </span>
              ))}
              .
            </p>
          ) : null}
          <ul className={classes.rows}>
            {data.rows.slice(0, SHOWN).map((alarm) => (
              <li key={alarm.uuid}>
                <Row alarm={alarm} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function Row({ alarm }: { alarm: SimilarAlarm }) {
  const acknowledgement = acknowledgementOf(alarm.acknowledgeJson);
  return (
    <>
      <span className={classes.when}>
        <At at={alarm.dateTime} />
      </span>
      <span className={classes.main}>
        <Link to="/dashboard/alarms/$uuid" params={{ uuid: alarm.uuid }}>
          <StateMark
            look="shape"
            state={severityOf(alarm.severity)}
            acknowledged={acknowledgement !== null || alarm.resolvedDate !== null}
          />{' '}
          {alarm.message}
        </Link>
        <span className={classes.quiet}>
          {alarm.resolvedDate === null ? 'still open' : `lasted ${lasted(alarm)}`}
          {alarm.resolveNote ? `, “${alarm.resolveNote}”` : ''}
        </span>
      </span>
      <span className={classes.note}>
        {acknowledgement === null ? (
          <span className={classes.quiet}>not acknowledged</span>
        ) : (
          <>
            <b>{acknowledgement.reason || 'Acknowledged'}</b>
            <span className={classes.quiet}>
              {acknowledgement.name}
              {acknowledgement.text ? `: “${acknowledgement.text}”` : ''}
            </span>
          </>
        )}
      </span>
    </>
  );
}
