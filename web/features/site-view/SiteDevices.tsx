import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { TbAlertTriangle } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { messageOf } from '../../api/http.ts';
import { Verbatim } from '../../kit/list/cells.tsx';
import { PanelTab, PanelTabs } from '../../kit/record/PanelTabs.tsx';
import { NEW } from '../../kit/record/useRecordAddress.ts';
import { useActor } from '../../kit/session/actor.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Age } from '../../ui/time/Age.tsx';
import { stateMeaning, stateOf, stateText } from '../sensor-command/index.ts';
import { isRejected, problemText } from '../sensor-log/index.ts';
import classes from './SiteDevices.module.css';
import { type SiteFacts, type SiteFrame, siteCommandsQuery, siteFramesQuery } from './site-view.queries.ts';

/** Shows the last commands to the site's devices and, in a second tab, the last frames from the devices. */
export function SiteDevices({ site }: { site: SiteFacts }) {
  const actor = useActor();
  const uids = uidsOf(site);
  const tabs = [
    ...(can(actor, 'reply_message.read') ? [{ value: 'commands', label: 'Commands' }] : []),
    ...(can(actor, 'incoming_sensor_log.read') ? [{ value: 'frames', label: 'Raw frames' }] : []),
  ];
  const [first] = tabs;
  if (uids.length === 0 || !first) return null;
  return (
    <section className={classes.card} aria-label="Devices">
      <Tabs defaultValue={first.value} keepMounted={false}>
        <PanelTabs tabs={tabs} />
        <PanelTab value="commands">
          <Commands uids={uids} mayQueue={can(actor, 'reply_message.create')} />
        </PanelTab>
        <PanelTab value="frames">
          <Frames uids={uids} />
        </PanelTab>
      </Tabs>
    </section>
  );
}

function uidsOf({ assets }: SiteFacts): string[] {
  return [...new Set(assets.flatMap(({ points }) => points.flatMap(({ sensor }) => sensor?.uid ?? [])))].sort();
}

function Frames({ uids }: { uids: readonly string[] }) {
  const frames = useQuery(siteFramesQuery(uids));
  return (
    <Part
      title="Last raw frames"
      more={
        <Link to="/admin/sensor-log" search={uids.length === 1 ? { q: uids[0] } : {}}>
          Sensor log
        </Link>
      }
      query={frames}
      empty={<EmptyState title="No frame has arrived yet">No device of this site has connected yet.</EmptyState>}
    >
      {frames.data?.map((contact) => (
        <li key={'frame' in contact ? contact.frame.autoId : contact.gateway}>
          <span className={classes.when}>
            <Age at={contact.at} />
          </span>
          {'frame' in contact ? <Frame frame={contact.frame} /> : <Gateway uid={contact.gateway} />}
        </li>
      ))}
    </Part>
  );
}

function Frame({ frame }: { frame: SiteFrame }) {
  return (
    <>
      <span className={classes.uid}>{frame.uid}</span>
      <span className={classes.text}>
        {isRejected(frame) ? null : <Verbatim>{frame.rawData === '' ? '(empty)' : frame.rawData}</Verbatim>}
        {frame.problem === null ? null : (
          <span className={classes.problem}>
            <TbAlertTriangle size={14} strokeWidth={1.75} aria-hidden />
            {problemText(frame)}
          </span>
        )}
      </span>
    </>
  );
}

function Gateway({ uid }: { uid: string }) {
  return (
    <>
      <span className={classes.uid}>{uid}</span>
      <span className={classes.text}>
        This gateway forwards data from sensors at this site. See{' '}
        <Link to="/admin/sensor-log" search={{ q: uid }}>
          {' '}
          its sensor log
        </Link>
        .
      </span>
    </>
  );
}

function Commands({ uids, mayQueue }: { uids: readonly string[]; mayQueue: boolean }) {
  const commands = useQuery(siteCommandsQuery(uids));
  return (
    <Part
      title="Last commands"
      more={
        mayQueue ? (
          <Link to="/admin/sensor-command" search={{ record: NEW, uids: uids.join() }}>
            New command
          </Link>
        ) : null
      }
      query={commands}
      empty={<EmptyState title="No commands yet">A command is sent when its device connects.</EmptyState>}
    >
      {commands.data?.map((command) => (
        <li key={command.id}>
          <span className={classes.when}>
            <Age at={command.queuedOn} />
          </span>
          <span className={classes.uid}>{command.uid}</span>
          <span className={classes.text}>
            <Verbatim>{command.replyCommand}</Verbatim>
            {command.reply ? <span className={classes.reply}>{command.reply}</span> : null}
          </span>
          <span title={stateMeaning[stateOf(command.state)]}>{stateText(command)}</span>
        </li>
      ))}
    </Part>
  );
}

interface PartProps {
  title: string;
  more: ReactNode;
  query: { data: readonly unknown[] | undefined; isError: boolean; error: unknown; refetch: () => unknown };
  empty: ReactNode;
  children: ReactNode;
}

function Part({ title, more, query, empty, children }: PartProps) {
  return (
    <section aria-label={title}>
      <div className={classes.head}>
        <h2>{title}</h2>
        {more}
      </div>
      {query.data ? (
        query.data.length === 0 ? (
          empty
        ) : (
          <ul className={classes.rows}>{children}</ul>
        )
      ) : query.isError ? (
        <ErrorState title={`${title} could not be loaded`} onRetry={() => void query.refetch()}>
          {messageOf(query.error)}
        </ErrorState>
      ) : (
        <div className={classes.waiting}>
          <Skeleton width="60%" />
        </div>
      )}
    </section>
  );
}
