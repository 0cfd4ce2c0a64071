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
import { bulkAcknowledgeTitle } from '../count-words.ts';
import classes from './AlarmDialog.module.css';
import type { AlarmResult, AlarmToAcknowledge } from './alarm-actions.queries.ts';
import {
  AlarmNames,
  AlreadyAcknowledged,
  DialogError,
  type HandledAlarm,
  Results,
  UnsavedText,
} from './DialogParts.tsx';
import { ReasonForm } from './ReasonForm.tsx';
import { type NamedAlarm, unsavedTexts } from './reasons.ts';
import { useAcknowledge } from './useAcknowledge.ts';
import { REOPEN } from './useAlarmDialog.ts';
import { useReasonDraft } from './useReasonDraft.ts';

interface AcknowledgeDialogProps {
  /** The alarms to acknowledge; empty while the dialog is closed. */
  uuids: readonly string[];
  /** Alarm names that the page has already loaded. The dialog shows them while there is no connection. */
  named: readonly NamedAlarm[];
  /** Link code from the message that opened the dialog; undefined if no message opened it. */
  link: string | undefined;
  /** Called when the dialog closes. `completed` is true if no alarm is left to acknowledge. */
  onClose: (completed: boolean) => void;
}

/** Dialog for acknowledging alarms. Choosing a reason acknowledges them at once. */
export function AcknowledgeDialog({ uuids, named, link, onClose }: AcknowledgeDialogProps) {
  if (uuids.length === 0) {
    return (
      <Dialog opened={false} onClose={() => onClose(false)} label="Acknowledge alarm">
        {null}
      </Dialog>
    );
  }
  return <OpenDialog key={uuids.join()} uuids={uuids} named={named} link={link} onClose={onClose} />;
}

function OpenDialog({ uuids, named, link, onClose: closed }: AcknowledgeDialogProps) {
  const draft = useReasonDraft(uuids);
  const close = (completed: boolean) => {
    if (completed) draft.drop();
    closed(completed);
  };
  const { query, alarms, waiting, results, errorText, busy, acknowledge } = useAcknowledge(uuids, link, () =>
    close(true),
  );
  useInterruptibleAction(...interruptedAction(uuids));
  const label =
    uuids.length > 1 ? bulkAcknowledgeTitle(uuids.length, waiting.length, results.size > 0) : 'Acknowledge alarm';
  const [only] = alarms ?? [];
  const one = uuids.length === 1 ? only : undefined;
  const title = one ?? (uuids.length === 1 && alarms === undefined ? named[0] : undefined);
  const first = one ? acknowledgementOf(one.acknowledgeJson) : null;
  const isFinished = alarms !== undefined && waiting.length === 0 && !busy;
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
          {uuids.length > 1 ? <AlarmNames alarms={named} /> : null}
          {query.isPaused ? (
            <DialogError>No connection. The reasons load when the connection is back.</DialogError>
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
      return <AlreadyAcknowledged acknowledgement={first} />;
    }
    return (
      <>
        {one === undefined && (results.size > 0 || waiting.length < alarms.length) ? (
          <Results label="Results" alarms={alarms.map((alarm) => resultRow(alarm, results))} />
        ) : one === undefined ? (
          <AlarmNames
            alarms={alarms
              .map((alarm) => ({ ...alarm, status: resolvedNote(alarm) }))
              // Resolved alarms come first, so that the user notices them.
              .toSorted((a, b) => Number(a.resolvedDate === null) - Number(b.resolvedDate === null))}
          />
        ) : null}
        {waiting.length > 0 ? (
          <ReasonForm alarms={waiting} busy={busy} draft={draft} onAcknowledge={acknowledge} />
        ) : null}
      </>
    );
  };
  const onClose = () => close(isFinished);
  return (
    <Dialog
      opened
      onClose={onClose}
      label={label}
      notice={errorText && !isFinished ? <DialogError>{errorText}</DialogError> : null}
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
      {isFinished ? <UnsavedText texts={unsavedTexts(draft.written, alarms)} /> : null}
      {isFinished ? (
        <div className={classes.buttons}>
          <Button variant="default" autoFocus onClick={onClose}>
            Close
          </Button>
        </div>
      ) : null}
    </Dialog>
  );
}

/** Returns the text that the login page shows if the session ends, and the path that reopens the dialog. */
function interruptedAction([uuid, ...others]: readonly string[]): [words: string, path: string] {
  return others.length > 0
    ? ['Your session ended before these alarms were acknowledged.', `/dashboard/alarms?acknowledge=${REOPEN}`]
    : ['Your session ended before the alarm was acknowledged.', `/dashboard/alarms/${uuid}?acknowledge=${REOPEN}`];
}

function resultRow(alarm: AlarmToAcknowledge, results: ReadonlyMap<string, AlarmResult>): HandledAlarm {
  const { uuid, message, siteName } = alarm;
  const result = results.get(uuid);
  const common = { uuid, message, siteName };
  if (result) {
    return { ...common, outcome: result.ok ? 'done' : 'refused', status: result.ok ? 'Acknowledged' : result.sentence };
  }
  const first = acknowledgementOf(alarm.acknowledgeJson);
  if (first === null) {
    const needs = results.size > 0 ? 'Needs another reason' : 'Needs a reason';
    const status = alarm.resolvedDate === null ? needs : [needs, '. ', resolvedNote(alarm)];
    return { ...common, outcome: 'waiting', status };
  }
  return {
    ...common,
    outcome: 'refused',
    status: (
      <>
        {first.name} acknowledged this alarm first{first.at === null ? null : ', '}
        <At at={first.at} />
      </>
    ),
  };
}

/** Shows when the alarm was resolved; null for an open alarm. A resolved alarm can still be acknowledged. */
function resolvedNote({ resolvedDate }: AlarmToAcknowledge): ReactNode {
  return resolvedDate === null ? null : (
    <span key="ended">
      Resolved <At at={resolvedDate} />
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
