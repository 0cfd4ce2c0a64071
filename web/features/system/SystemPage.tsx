import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../api/http.ts';
import { At } from '../../kit/format/At.tsx';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { ErrorState } from '../../ui/Notice.tsx';
import { Card, Page, PageTitle } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import { formatTime } from '../../ui/time/format.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { BackupTable } from './BackupTable.tsx';
import { DatabaseCard } from './DatabaseCard.tsx';
import { ProcessTable } from './ProcessTable.tsx';
import { ProtocolTable } from './ProtocolTable.tsx';
import { QueueTable } from './QueueTable.tsx';
import classes from './System.module.css';
import { type SystemAlarm, type SystemState, systemStateQuery } from './system.queries.ts';

/** Page with the state of the installation, for owners: processes, protocols, queues, database and backups. */
export function SystemPage() {
  useHeaderTitle('System');
  const state = useQuery(systemStateQuery);
  return (
    <Page>
      <PageTitle actions={state.data ? <Live state={state.data} isOld={state.isError} /> : null}>System</PageTitle>
      {state.data ? (
        <Parts state={state.data} answeredAt={state.dataUpdatedAt} />
      ) : state.isError ? (
        <Card>
          <ErrorState title="The state of the system could not be loaded" onRetry={() => void state.refetch()}>
            {messageOf(state.error)}
          </ErrorState>
        </Card>
      ) : (
        <Loading />
      )}
    </Page>
  );
}

function Parts({ state, answeredAt }: { state: SystemState; answeredAt: number }) {
  return (
    <div className={classes.parts}>
      {state.alarms.map((alarm) => (
        <OpenAlarm key={alarm.uuid} alarm={alarm} />
      ))}
      <ProcessTable processes={state.processes} brokers={state.brokers} answeredAt={answeredAt} />
      <div className={classes.pair}>
        <ProtocolTable protocols={state.protocols} brokers={state.brokers} />
        <QueueTable queues={state.queues} />
        <DatabaseCard version={state.databaseVersion} sizes={state.sizes} />
        <BackupTable backups={state.backups} />
      </div>
    </div>
  );
}

function OpenAlarm({ alarm: { sentence, openedOn } }: { alarm: SystemAlarm }) {
  return (
    <section className={classes.alarm} aria-label="System alarm">
      <StateMark state="major" look="shape" />
      <div>
        <b>{sentence}</b>
        <p>
          Major system alarm, open since <At at={openedOn} />. The owners were notified. The alarm closes automatically
          when the fault is fixed.
        </p>
      </div>
    </section>
  );
}

/** Shows when the server measured the figures, and when it last called the external heartbeat. */
function Live({ state: { observedOn, externalHeartbeatOn }, isOld }: { state: SystemState; isOld: boolean }) {
  const timeZone = useTimeZone();
  const clock = (at: string) => formatTime(new Date(at), timeZone, undefined, true);
  if (observedOn === null) return null;
  return (
    <p className={classes.live}>
      <span data-old={isOld || undefined}>
        {isOld ? `Not updated since ${clock(observedOn)}` : `Live, ${clock(observedOn)}`}
      </span>
      {externalHeartbeatOn === null ? null : <span>External heartbeat sent {clock(externalHeartbeatOn)}</span>}
    </p>
  );
}

/** Placeholder that is as tall as the screen, so that the footer does not move when the figures appear. */
function Loading() {
  return (
    <div className={classes.loading} role="status" aria-label="Loading">
      {[3, 4, 4].map((rows, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders never change.
        <div key={place} className={classes.card}>
          <div className={classes.head}>
            <Skeleton width={96} />
          </div>
          {['62%', '48%', '71%', '55%'].slice(0, rows).map((width) => (
            <div key={width} className={classes.placeholder}>
              <Skeleton width={width} />
              <Skeleton width="12%" />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
