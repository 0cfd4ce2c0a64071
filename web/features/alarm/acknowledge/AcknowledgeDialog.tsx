import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { messageOf } from '../../../api/http.ts';
import { At } from '../../../kit/format/At.tsx';
import { acknowledgementOf, notThere, severityOf } from '../../../kit/format/alarm.ts';
import { withoutSite } from '../../../kit/format/alarm-name.ts';
import { useInterruptibleAction } from '../../../kit/session/interrupted-action.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/Notice.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { StateMark } from '../../../ui/StateMark.tsx';
import { Age } from '../../../ui/time/Age.tsx';
import { isValueInside, Reading } from '../AlarmCells.tsx';
import { titleOfMany } from '../count-words.ts';
import classes from './AlarmDialog.module.css';
import type { AlarmResult, AlarmToAcknowledge } from './alarm-actions.queries.ts';
import { First, type Handled, Names, Results, Trouble, Unsent } from './DialogParts.tsx';
import { ReasonForm } from './ReasonForm.tsx';
import { type NamedAlarm, unrecorded } from './reasons.ts';
import { useAcknowledge } from './useAcknowledge.ts';
import { ASK_AGAIN } from './useAlarmDialog.ts';
import { useReasonDraft } from './useReasonDraft.ts';

interface AcknowledgeDialogProps {
  /** None while the dialog is closed. */
  uuids: readonly string[];
  /** What they are called, as far as the page knows it already: the dialog may open without a connection. */
  named: readonly NamedAlarm[];
  /** The link of the message that led here. */
  link: string | undefined;
  /** With whether it was carried through: no alarm waits for a reason any more. */
  onClose: (carriedThrough: boolean) => void;
}

/** Asks for the reason an acknowledgement needs. A tap on a reason is the acknowledgement. */
export function AcknowledgeDialog({ uuids, named, link, onClose }: AcknowledgeDialogProps) {
  if (uuids.length === 0) {
    return (
      <Dialog opened={false} onClose={() => onClose(false)} label="Acknowledge alarm">
        {null}
      </Dialog>
    );
  }
  return <Opened key={uuids.join()} uuids={uuids} named={named} link={link} onClose={onClose} />;
}

function Opened({ uuids, named, link, onClose: closed }: AcknowledgeDialogProps) {
  const draft = useReasonDraft(uuids);
  const close = (carriedThrough: boolean) => {
    if (carriedThrough) draft.drop();
    closed(carriedThrough);
  };
  const { query, alarms, waiting, results, trouble, busy, acknowledge } = useAcknowledge(uuids, link, () =>
    close(true),
  );
  useInterruptibleAction(...undone(uuids));
  const label = uuids.length > 1 ? titleOfMany(uuids.length, waiting.length, results.size > 0) : 'Acknowledge alarm';
  const [only] = alarms ?? [];
  const one = uuids.length === 1 ? only : undefined;
  const title = one ?? (uuids.length === 1 && alarms === undefined ? named[0] : undefined);
  const first = one ? acknowledgementOf(one.acknowledgeJson) : null;
  const isOver = alarms !== undefined && waiting.length === 0 && !busy;
  const content = () => {
    if (query.isError && alarms === undefined) {
      return (
        <ErrorState title="The reasons could not be loaded" onRetry={() => void query.refetch()}>
          {messageOf(query.error)}
        </ErrorState>
      );
    }
    if (alarms === undefined) {
      return (
        <>
          {uuids.length > 1 ? <Names alarms={named} /> : null}
          {query.isPaused ? (
            <Trouble>There is no connection. The reasons come as soon as it is back.</Trouble>
          ) : (
            <Loading />
          )}
        </>
      );
    }
    if (alarms.length === 0) {
      return (
        <p>
          {notThere.title}. {notThere.words}
        </p>
      );
    }
    if (first !== null && !busy) {
      return <First acknowledgement={first} />;
    }
    return (
      <>
        {one === undefined && (results.size > 0 || waiting.length < alarms.length) ? (
          <Results label="Results" alarms={alarms.map((alarm) => handled(alarm, results))} />
        ) : one === undefined ? (
          <Names
            alarms={alarms
              .map((alarm) => ({ ...alarm, status: ended(alarm) }))
              // One that has ended must not hide among the others.
              .toSorted((a, b) => Number(a.resolvedDate === null) - Number(b.resolvedDate === null))}
          />
        ) : null}
        {waiting.length > 0 ? (
          <ReasonForm alarms={waiting} busy={busy} draft={draft} onAcknowledge={acknowledge} />
        ) : null}
      </>
    );
  };
  const onClose = () => close(isOver);
  return (
    <Dialog
      opened
      onClose={onClose}
      label={label}
      notice={trouble && !isOver ? <Trouble>{trouble}</Trouble> : null}
      head={
        one ? (
          <>
            <StateMark look="badge" state={severityOf(one.severity)} acknowledged={first !== null} />
            <span className={classes.age}>
              {one.resolvedDate === null ? (
                <>
                  open <Age at={one.dateTime} />
                </>
              ) : (
                'resolved'
              )}
            </span>
          </>
        ) : uuids.length > 1 ? (
          <h2>{label}</h2>
        ) : null
      }
    >
      {title ? (
        <div className={classes.title}>
          <h2>{withoutSite(title.message, title.siteName)}</h2>
          <p>{title.siteName}</p>
          {one?.resolvedDate === null ? (
            <p className={classes.reading} data-state={isValueInside(one) ? 'normal' : severityOf(one.severity)}>
              <Reading alarm={one} />
            </p>
          ) : null}
        </div>
      ) : null}
      {content()}
      {isOver ? <Unsent texts={unrecorded(draft.written, alarms)} /> : null}
      {isOver ? (
        <div className={classes.buttons}>
          <Button variant="default" autoFocus onClick={onClose}>
            Close
          </Button>
        </div>
      ) : null}
    </Dialog>
  );
}

/** What was not done where the session ends before it, and the way back to this dialog. */
function undone([uuid, ...others]: readonly string[]): [words: string, path: string] {
  return others.length > 0
    ? ['Your session ended before these alarms were acknowledged.', `/dashboard/alarms?acknowledge=${ASK_AGAIN}`]
    : ['Your session ended before the alarm was acknowledged.', `/dashboard/alarms/${uuid}?acknowledge=${ASK_AGAIN}`];
}

function handled(alarm: AlarmToAcknowledge, results: ReadonlyMap<string, AlarmResult>): Handled {
  const { uuid, message, siteName } = alarm;
  const result = results.get(uuid);
  const common = { uuid, message, siteName };
  if (result) {
    return { ...common, fate: result.ok ? 'done' : 'refused', status: result.ok ? 'Acknowledged' : result.sentence };
  }
  const first = acknowledgementOf(alarm.acknowledgeJson);
  if (first === null) {
    const needs = results.size > 0 ? 'Needs another reason' : 'Waits for a reason';
    const status = alarm.resolvedDate === null ? needs : [needs, '. ', ended(alarm)];
    return { ...common, fate: 'waiting', status };
  }
  return {
    ...common,
    fate: 'refused',
    status: (
      <>
        {first.name} acknowledged this alarm first{first.at === null ? null : ', '}
        <At at={first.at} />
      </>
    ),
  };
}

/** What ended while the dialog was open can be acknowledged all the same, by somebody who knows that it has. */
function ended({ resolvedDate }: AlarmToAcknowledge): ReactNode {
  return resolvedDate === null ? null : (
    <span key="ended">
      It has ended, <At at={resolvedDate} />
    </span>
  );
}

function Loading() {
  return (
    <div className={classes.reasons} role="status" aria-label="Loading">
      {['52%', '44%', '60%'].map((width) => (
        <div key={width} className={classes.reason}>
          <Skeleton width={width} />
        </div>
      ))}
    </div>
  );
}
