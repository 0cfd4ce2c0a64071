import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { TbCheck, TbUserCheck } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { messageOf } from '../../api/http.ts';
import { At } from '../../kit/format/At.tsx';
import { acknowledgementOf, quietState, severityOf } from '../../kit/format/alarm.ts';
import { withoutSite } from '../../kit/format/alarm-name.ts';
import { LoadError } from '../../kit/page/LoadError.tsx';
import { useActor } from '../../kit/session/actor.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import { stateWords } from '../../ui/state-words.ts';
import { Age } from '../../ui/time/Age.tsx';
import { AcknowledgeDialog, FullLimit, NotifiedCount, ResolveDialog } from '../alarm/index.ts';
import { UnreachedRules } from '../notification/index.ts';
import { missingAlertNote } from './missing-alert-note.ts';
import { noAlarmReason } from './no-alarm-reason.ts';
import classes from './SiteAlarms.module.css';
import { SitePeople } from './SitePeople.tsx';
import type { Point, SiteAlarm, SiteAlarmsAnswer, SiteFacts } from './site-view.queries.ts';

interface SiteAlarmsProps {
  site: SiteFacts;
  alarms: UseQueryResult<SiteAlarmsAnswer>;
  /** Data points whose values are outside their limits although no alarm is open. */
  out: readonly Point[];
}

/** Lists the open alarms of the site with their actions and recipients. */
export function SiteAlarms({ site, alarms, out }: SiteAlarmsProps) {
  const actor = useActor();
  const [handling, setHandling] = useState<{ what: 'acknowledge' | 'resolve'; alarm: SiteAlarm } | null>(null);
  const { data } = alarms;
  const body = () => {
    if (alarms.isError && !data) {
      return (
        <ErrorState title="The alarms could not be loaded" onRetry={() => void alarms.refetch()}>
          {messageOf(alarms.error)}
        </ErrorState>
      );
    }
    if (!data) {
      return (
        <LoadError query={alarms}>
          <div className={classes.row}>
            <Skeleton width="70%" />
          </div>
        </LoadError>
      );
    }
    if (data.rows.length === 0) {
      return (
        <EmptyState icon={TbCheck} title="No open alarms">
          {noAlarmReason(site, out)}
        </EmptyState>
      );
    }
    return (
      <ul className={classes.rows}>
        {data.rows.map((alarm) => (
          <Row
            key={alarm.uuid}
            alarm={alarm}
            alert={missingAlertNote(alarm, site)}
            onHandle={(what) => setHandling({ what, alarm })}
          />
        ))}
      </ul>
    );
  };
  return (
    <section className={classes.card} aria-label="Open alarms">
      <div className={classes.head}>
        <h2>Open alarms</h2>
        {data ? <span>{data.total.toLocaleString()}</span> : null}
        <Link to="/dashboard/alarms" search={{ show: 'past', q: site.name }}>
          Past alarms
        </Link>
        {can(actor, 'rule.create') ? (
          <Link to="/admin/rules" search={{ record: 'new', site: site.uuid }}>
            Add rule
          </Link>
        ) : null}
      </div>
      {body()}
      <UnreachedRules siteUuid={site.uuid} folded />
      <SitePeople people={site.people} siteUuid={site.uuid} />
      <AcknowledgeDialog
        uuids={handling?.what === 'acknowledge' ? [handling.alarm.uuid] : none}
        named={handling ? [handling.alarm] : none}
        link={undefined}
        onClose={() => setHandling(null)}
      />
      <ResolveDialog
        alarms={
          handling?.what === 'resolve'
            ? [
                {
                  uuid: handling.alarm.uuid,
                  message: handling.alarm.message,
                  siteName: handling.alarm.siteName,
                  acknowledged: acknowledgementOf(handling.alarm.acknowledgeJson) !== null,
                },
              ]
            : none
        }
        onClose={() => setHandling(null)}
      />
    </section>
  );
}

const none: never[] = [];

interface RowProps {
  alarm: SiteAlarm;
  /** Note shown if the rule has no rule alert; empty if it has one. */
  alert: string;
  onHandle: (what: 'acknowledge' | 'resolve') => void;
}

function Row({ alarm, alert, onHandle }: RowProps) {
  const actor = useActor();
  const acknowledgement = acknowledgementOf(alarm.acknowledgeJson);
  const message = withoutSite(alarm.message, alarm.siteName);
  const quiet = quietState(alarm);
  const isHot = acknowledgement === null && alarm.severity === 'critical' && !quiet;
  const severity = severityOf(alarm.severity);
  return (
    <li className={classes.row} data-hot={isHot || undefined}>
      {quiet ? <StateMark state={quiet} /> : <StateMark state={severity} acknowledged={acknowledgement !== null} />}
      <span className={classes.age}>
        <Age at={alarm.dateTime} />
      </span>
      <span className={classes.message}>
        <Link
          data-waiting={(acknowledgement === null && !quiet) || undefined}
          to="/dashboard/alarms"
          search={{ alarm: alarm.uuid }}
        >
          {message}
          {alarm.occurrences > 1 ? <small> ×{alarm.occurrences.toLocaleString()}</small> : null}
        </Link>
        {alarm.criteria ? (
          <span className={classes.why}>
            <FullLimit alarm={alarm} />
          </span>
        ) : null}
        {quiet ? <span className={classes.why}>{stateWords[severity]}</span> : null}
        {acknowledgement === null ? (
          <span className={classes.why}>
            <NotifiedCount alarm={alarm} />
            {alert ? `, ${alert}` : ''}
          </span>
        ) : null}
      </span>
      <span className={classes.end}>
        {acknowledgement ? (
          <>
            <span className={classes.who}>
              <TbUserCheck size={14} strokeWidth={1.75} aria-label="Acknowledged by" role="img" />
              {acknowledgement.name} <At at={acknowledgement.at} />
            </span>
            {can(actor, 'alarm.resolve') ? (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Resolve ${message}`}
                onClick={() => onHandle('resolve')}
              >
                Resolve
              </Button>
            ) : null}
          </>
        ) : can(actor, 'alarm.acknowledge') ? (
          <Button
            size="compact-sm"
            variant={isHot ? 'filled' : 'default'}
            aria-label={`Acknowledge ${message}`}
            onClick={() => onHandle('acknowledge')}
          >
            Acknowledge
          </Button>
        ) : null}
      </span>
    </li>
  );
}
