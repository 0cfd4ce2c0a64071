import { ActionIcon } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBrandWhatsapp,
  IconCheck,
  IconClock,
  IconDeviceMobile,
  IconMail,
  IconMessage2,
  IconUserCheck,
  IconX,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../../api/http.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import { Age } from '../../ui/time/Age.tsx';
import { formatAge } from '../../ui/time/format.ts';
import { At } from '../dashboard/At.tsx';
import { readValue } from '../dashboard/value.ts';
import classes from './AlarmDetail.module.css';
import { type AlarmDetail as Alarm, fetchAlarm } from './alarm.queries.ts';
import { acknowledgementOf, fateOf, inOrder, methodName, severityOf } from './alarm.ts';
import { REFRESH } from './useOpenAlarms.ts';

/** Everything that is known of one alarm: where, since when, who was told and what came of it. */
export function AlarmDetail({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const query = useQuery({
    queryKey: ['alarm', 'detail', uuid],
    queryFn: ({ signal }) => fetchAlarm(uuid, signal),
    refetchInterval: REFRESH,
  });
  const alarm = query.data;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes from wherever the focus stands inside.
    <div
      className={classes.panel}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          onClose();
        }
      }}
    >
      <div className={classes.head}>
        {alarm ? <Badge alarm={alarm} /> : <Skeleton width={120} height={22} />}
        <ActionIcon variant="subtle" aria-label="Close" onClick={onClose}>
          <IconX size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      </div>
      {query.isError && alarm === undefined ? (
        <ErrorState title="The alarm could not be loaded" onRetry={() => void query.refetch()}>
          {messageOf(query.error)}
        </ErrorState>
      ) : alarm === undefined ? (
        <Loading />
      ) : alarm === null ? (
        <EmptyState title="This alarm is not there">
          It belongs to a site you are not linked to, or never was.
        </EmptyState>
      ) : (
        <Content alarm={alarm} />
      )}
    </div>
  );
}

function Badge({ alarm }: { alarm: Alarm }) {
  const severity = severityOf(alarm.severity);
  const acknowledged = acknowledgementOf(alarm.acknowledgeJson) !== null;
  const word = severity.charAt(0).toUpperCase() + severity.slice(1);
  const rest = alarm.resolvedDate !== null ? 'resolved' : acknowledged ? 'acknowledged' : 'not acknowledged';
  // A resolved alarm is over: nothing about it is loud any more.
  return (
    <StateMark
      look="badge"
      state={severity}
      acknowledged={acknowledged || alarm.resolvedDate !== null}
      word={`${word}, ${rest}`}
    />
  );
}

function Content({ alarm }: { alarm: Alarm }) {
  const value = alarm.datapoint && readValue(alarm.datapoint);
  return (
    <>
      <div className={classes.title}>
        <h2>{alarm.message}</h2>
        <p>
          {alarm.siteName}
          {alarm.asset ? `, ${alarm.asset.name}` : ''}. Opened <At at={alarm.dateTime} />,{' '}
          {alarm.resolvedDate === null ? (
            <>
              <Age at={alarm.dateTime} /> ago
            </>
          ) : (
            `lasted ${formatAge(Date.parse(alarm.resolvedDate) - Date.parse(alarm.dateTime))}`
          )}
        </p>
      </div>
      <section className={classes.section} aria-label="What it is about">
        <dl className={classes.facts}>
          {alarm.ruleName ? (
            <>
              <dt>Rule</dt>
              <dd>{alarm.ruleName}</dd>
            </>
          ) : null}
          {alarm.datapoint ? (
            <>
              <dt>Data point</dt>
              <dd>{alarm.datapoint.tocsinDatapointName}</dd>
            </>
          ) : null}
          {value ? (
            <>
              <dt>Value now</dt>
              <dd>
                <b>{value.unit ? `${value.text} ${value.unit}` : value.text}</b>,{' '}
                <Age at={alarm.datapoint?.lastUpdated ?? null} /> ago
              </dd>
            </>
          ) : null}
        </dl>
      </section>
      <Timeline alarm={alarm} />
    </>
  );
}

const methodIcons: Record<number, typeof IconMail> = {
  1: IconMail,
  2: IconBrandWhatsapp,
  3: IconMessage2,
  4: IconDeviceMobile,
};

interface Event {
  id: string;
  at: string | null;
  icon: typeof IconMail;
  words: ReactNode;
}

function Timeline({ alarm }: { alarm: Alarm }) {
  const acknowledgement = acknowledgementOf(alarm.acknowledgeJson);
  const messages = alarm.notifications.nodes.filter((message) => message !== null);
  const events: Event[] = [
    { id: 'opened', at: alarm.dateTime, icon: IconAlertTriangle, words: <b>Opened</b> },
    ...messages.map((message) => ({
      id: message.uuid,
      at: message.notifyTime,
      icon: methodIcons[message.methodType] ?? IconMessage2,
      words: (
        <>
          {methodName(message.methodType)} to <b>{message.recipientName}</b>{' '}
          <span className={classes.fate} data-failed={message.state === 'failed' || undefined}>
            {fateOf(message, formatAge)}
          </span>
        </>
      ),
    })),
  ];
  if (acknowledgement !== null) {
    events.push({
      id: 'acknowledged',
      at: acknowledgement.at,
      icon: IconUserCheck,
      words: (
        <>
          <b>Acknowledged</b> by <b>{acknowledgement.name}</b>
          <span className={classes.quote}>
            {acknowledgement.reason}
            {acknowledgement.text ? `. “${acknowledgement.text}”` : ''}
          </span>
        </>
      ),
    });
  }
  if (alarm.resolvedDate !== null) {
    events.push({ id: 'resolved', at: alarm.resolvedDate, icon: IconCheck, words: <b>Resolved</b> });
  } else {
    events.push({ id: 'open', at: null, icon: IconClock, words: <span className={classes.fate}>Still open</span> });
  }
  const unseen = alarm.notifications.totalCount - messages.length;
  return (
    <section className={classes.section} aria-label="Timeline">
      <h3>Timeline</h3>
      <ol className={classes.timeline}>
        {inOrder(events).map((event) => (
          <li key={event.id}>
            <span className={classes.time}>{event.at === null ? 'now' : <At at={event.at} />}</span>
            <span className={classes.node}>
              <event.icon size={14} stroke={1.75} aria-hidden />
            </span>
            <span>{event.words}</span>
          </li>
        ))}
      </ol>
      {messages.length === 0 ? <p className={classes.fate}>Nobody was sent a message about it.</p> : null}
      {unseen > 0 ? <p className={classes.fate}>{unseen.toLocaleString()} later messages are not shown.</p> : null}
    </section>
  );
}

function Loading() {
  return (
    <div className={classes.title} role="status" aria-label="Loading">
      <Skeleton width="72%" height={16} />
      <p>
        <Skeleton width="90%" />
      </p>
      {['60%', '48%', '66%', '52%'].map((width) => (
        <p key={width}>
          <Skeleton width={width} />
        </p>
      ))}
    </div>
  );
}
