import { ActionIcon, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { TbExternalLink, TbX } from 'react-icons/tb';
import { can } from '../../../../domain/permission.ts';
import { messageOf } from '../../../api/http.ts';
import { At } from '../../../kit/format/At.tsx';
import {
  acknowledgementOf,
  assetOf,
  isQuiet,
  lasted,
  notThere,
  quietState,
  severityOf,
} from '../../../kit/format/alarm.ts';
import { LoadError } from '../../../kit/page/LoadError.tsx';
import { useActor } from '../../../kit/session/actor.ts';
import { EmptyState, ErrorState } from '../../../ui/Notice.tsx';
import { isWriting, usePageKeys } from '../../../ui/page-keys.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { StateMark } from '../../../ui/StateMark.tsx';
import { stateWords } from '../../../ui/state-words.ts';
import { Age } from '../../../ui/time/Age.tsx';
import type { AlarmAction, DialogAlarm } from '../acknowledge/useAlarmDialog.ts';
import { AssignmentNote } from '../assign/Assignment.tsx';
import { useAssignment } from '../assign/useAssignment.ts';
import { ShelvedNote } from '../shelve/ShelvingState.tsx';
import { AlarmConditions } from './AlarmConditions.tsx';
import classes from './AlarmDetail.module.css';
import { AlarmExplanation } from './AlarmExplanation.tsx';
import { AlarmTimeline } from './AlarmTimeline.tsx';
import type { AlarmDetail as Alarm } from './alarm-detail.queries.ts';
import { CauseNote } from './CauseNote.tsx';
import { SampleChart } from './SampleChart.tsx';
import { useAlarm, useLiveValues } from './useAlarm.ts';

interface AlarmDetailProps {
  uuid: string;
  /** True for each action whose shortcut applies to the alarms selected in the list instead of this alarm. */
  keysUseSelection?: Record<'acknowledge' | 'resolve', boolean>;
  onClose: () => void;
  onHandle: (what: AlarmAction, alarm: DialogAlarm) => void;
}

type PressedKey = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'preventDefault'> & {
  target: EventTarget | null;
};

/** Panel with the details of one alarm: site, asset, times, cause, notifications and timeline. */
export function AlarmDetail({ uuid, keysUseSelection, onClose, onHandle }: AlarmDetailProps) {
  const query = useAlarm(uuid);
  const alarm = useLiveValues(query.data);
  const able = usePossibleActions(alarm ?? undefined);
  const { take } = useAssignment();
  const press = (event: PressedKey) => {
    // Ignore letters that the user types into the note field.
    if (event.ctrlKey || event.metaKey || event.altKey || (event.key !== 'Escape' && isWriting(event.target))) {
      return;
    }
    const what = actionOfKey(event.key);
    if (event.key === 'Escape') {
      onClose();
    } else if (what === undefined || ((what === 'acknowledge' || what === 'resolve') && keysUseSelection?.[what])) {
      return;
    } else if (alarm && able[what]) {
      if (what === 'take') void take(alarm);
      else onHandle(what, alarm);
    }
    // Prevent the list beside the panel from handling the same key press.
    event.preventDefault();
  };
  // Listen for keys on the whole page. While the panel is an overlay, only `onKeyDown` below receives them.
  usePageKeys(press);
  const hint = (key: 'a' | 'r', what: 'acknowledge' | 'resolve') =>
    keysUseSelection?.[what] ? null : <kbd aria-hidden>{key}</kbd>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcuts work wherever the focus is inside the panel.
    <div className={classes.panel} onKeyDown={press}>
      <div className={classes.head}>
        {alarm ? <Badge alarm={alarm} /> : query.isLoading ? <Skeleton width={120} height={22} /> : null}
        <span className={classes.ways}>
          <ActionIcon
            variant="subtle"
            aria-label="Open the alarm’s own page"
            renderRoot={(root) => <Link {...root} to="/dashboard/alarms/$uuid" params={{ uuid }} />}
          >
            <TbExternalLink size={16} strokeWidth={1.75} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="subtle" aria-label="Close" onClick={onClose}>
            <TbX size={16} strokeWidth={1.75} aria-hidden />
          </ActionIcon>
        </span>
      </div>
      {query.isError && alarm === undefined ? (
        <ErrorState title="The alarm could not be loaded" onRetry={() => void query.refetch()}>
          {messageOf(query.error)}
        </ErrorState>
      ) : alarm === undefined ? (
        <LoadError query={query}>
          <Loading />
        </LoadError>
      ) : alarm === null ? (
        <EmptyState title={notThere.title}>{notThere.words}</EmptyState>
      ) : (
        <>
          <Title alarm={alarm} />
          <ShelvedNote alarm={alarm} />
          <CauseNote alarm={alarm} />
          {able.acknowledge || able.resolve ? (
            <div className={classes.actions}>
              {able.acknowledge ? (
                <Button onClick={() => onHandle('acknowledge', alarm)} rightSection={hint('a', 'acknowledge')}>
                  Acknowledge
                </Button>
              ) : null}
              {able.resolve ? (
                <Button
                  variant={able.acknowledge ? 'default' : 'filled'}
                  onClick={() => onHandle('resolve', alarm)}
                  rightSection={hint('r', 'resolve')}
                >
                  Resolve
                </Button>
              ) : null}
              {able.shelve ? (
                <Button
                  variant="default"
                  onClick={() => onHandle('shelve', alarm)}
                  rightSection={<kbd aria-hidden>s</kbd>}
                >
                  Shelve
                </Button>
              ) : null}
            </div>
          ) : null}
          <AssignmentNote key={alarm.uuid} alarm={alarm} />
          {able.acknowledge || able.resolve ? <NextStep alarm={alarm} /> : null}
          <SampleChart alarm={alarm} />
          <AlarmConditions alarm={alarm} />
          <AlarmExplanation alarm={alarm} />
          <AlarmTimeline alarm={alarm} />
        </>
      )}
    </div>
  );
}

function NextStep({ alarm }: { alarm: Alarm }) {
  return (
    <p className={classes.next}>
      {acknowledgementOf(alarm.acknowledgeJson) !== null
        ? 'Next: resolve it when the cause is fixed. '
        : alarm.resolvedDate !== null
          ? 'Next: acknowledge it with a reason. '
          : 'Next: acknowledge it with a reason. Then resolve it when the cause is fixed. '}
      <Link className={classes.site} to="/dashboard/alarms/$uuid" params={{ uuid: alarm.uuid }}>
        Reasons for similar alarms
      </Link>
    </p>
  );
}

/** An action on an open alarm, by button or shortcut. Every action except `take` opens a dialog. */
type PageAction = AlarmAction | 'take';

/** Returns the action of a shortcut key; undefined if the key has none. */
export function actionOfKey(key: string): PageAction | undefined {
  const actions: Record<string, PageAction> = { a: 'acknowledge', r: 'resolve', s: 'shelve', t: 'take' };
  return actions[key];
}

/** Returns for each action whether this user can still perform it on the alarm. */
export function usePossibleActions(alarm: Alarm | undefined): Record<PageAction, boolean> {
  const actor = useActor();
  return {
    acknowledge:
      alarm !== undefined && can(actor, 'alarm.acknowledge') && acknowledgementOf(alarm.acknowledgeJson) === null,
    resolve: alarm !== undefined && can(actor, 'alarm.resolve') && alarm.resolvedDate === null,
    shelve:
      alarm !== undefined &&
      can(actor, 'alarm.shelve') &&
      alarm.resolvedDate === null &&
      !isQuiet(alarm) &&
      alarm.tocsinSiteUuid !== null,
    take:
      alarm !== undefined && can(actor, 'alarm.assign') && alarm.resolvedDate === null && alarm.assignedName === null,
  };
}

/** Shows the severity and state as text: `Critical, not acknowledged`; `Shelved, critical`. */
export function Badge({ alarm }: { alarm: Alarm }) {
  const severity = severityOf(alarm.severity);
  const acknowledged = acknowledgementOf(alarm.acknowledgeJson) !== null;
  const quiet = quietState(alarm);
  if (quiet) {
    return (
      <StateMark look="badge" state={quiet} word={`${stateWords[quiet]}, ${stateWords[severity].toLowerCase()}`} />
    );
  }
  const rest = alarm.resolvedDate !== null ? 'resolved' : acknowledged ? 'acknowledged' : 'not acknowledged';
  // A resolved alarm has the same muted style as an acknowledged alarm.
  return (
    <StateMark
      look="badge"
      state={severity}
      acknowledged={acknowledged || alarm.resolvedDate !== null}
      word={`${stateWords[severity]}, ${rest}`}
    />
  );
}

function Title({ alarm }: { alarm: Alarm }) {
  return (
    <div className={classes.title}>
      <h2>{alarm.message}</h2>
      <p>
        <Place alarm={alarm} />
      </p>
    </div>
  );
}

/** Shows the site, asset, opening time and duration of an alarm. */
export function Place({ alarm }: { alarm: Alarm }) {
  const asset = assetOf(alarm);
  return (
    <>
      {alarm.tocsinSiteUuid === null ? (
        alarm.siteName
      ) : (
        <Link className={classes.site} to="/dashboard/site/$uuid" params={{ uuid: alarm.tocsinSiteUuid }}>
          {alarm.siteName}
        </Link>
      )}
      {asset ? `, ${asset}` : ''}. Opened <At at={alarm.dateTime} />,{' '}
      {alarm.resolvedDate === null ? (
        <>
          <Age at={alarm.dateTime} /> ago
        </>
      ) : (
        `lasted ${lasted(alarm)}`
      )}
    </>
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
