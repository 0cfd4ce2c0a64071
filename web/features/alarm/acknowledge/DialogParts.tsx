import type { ReactNode } from 'react';
import { TbAlertCircle, TbCheck, TbClock, TbUserCheck } from 'react-icons/tb';
import { At } from '../../../kit/format/At.tsx';
import type { Acknowledgement, Resolution } from '../../../kit/format/alarm.ts';
import { withoutSite } from '../../../kit/format/alarm-name.ts';
import { useUser } from '../../../kit/session/session.ts';
import { CopyLine } from '../../../ui/CopyLine.tsx';
import classes from './AlarmDialog.module.css';
import type { NamedAlarm } from './reasons.ts';

/** Shows an error inside a dialog that stays open. */
export function DialogError({ children }: { children: ReactNode }) {
  return (
    <p className={classes.trouble} role="alert">
      <TbAlertCircle size={16} strokeWidth={1.75} aria-hidden />
      <span>{children}</span>
    </p>
  );
}

/** Shows who has already acknowledged the alarm. The server refuses a second acknowledgement. */
export function AlreadyAcknowledged({ acknowledgement }: { acknowledgement: Acknowledgement }) {
  const { by, name, at, reason, text } = acknowledgement;
  const isMine = by === useUser().uuid;
  return (
    <AlreadyDone title={isMine ? 'You have already acknowledged this alarm' : `${name} acknowledged this alarm first`}>
      {at === null ? null : (
        <>
          Acknowledged <At at={at} />
          {reason ? ': ' : '. '}
        </>
      )}
      {reason}
      {text ? `. “${text}”` : ''}
    </AlreadyDone>
  );
}

/** Shows who has already resolved the alarm, or that the alarm resolved automatically. */
export function AlreadyResolved({ resolution }: { resolution: Resolution }) {
  const { by, name, at, note } = resolution;
  const isMine = by === useUser().uuid;
  const title = isMine
    ? 'You have already resolved this alarm'
    : name === null
      ? 'This alarm resolved automatically'
      : `${name} resolved this alarm first`;
  return (
    <AlreadyDone title={title}>
      Resolved <At at={at} />
      {note ? `: “${note}”` : '.'}
    </AlreadyDone>
  );
}

function AlreadyDone({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.first} role="status">
      <TbUserCheck size={16} strokeWidth={1.75} aria-hidden />
      <div>
        <b>{title}</b>
        <p>{children}</p>
      </div>
    </div>
  );
}

/** Shows the user's text that was not saved because another user acted first, so that the user can copy it. */
export function UnsavedText({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <div className={classes.unsent}>
      <p>Your text was not saved. Copy it if you still need it.</p>
      <CopyLine label="your text">{texts.join('\n')}</CopyLine>
    </div>
  );
}

const MAX_NAMED = 5;

interface ListedAlarm extends NamedAlarm {
  /** Optional note about the alarm's state, shown after its name. */
  status?: ReactNode;
}

/** Lists the names of the first five alarms and the number of further alarms. */
export function AlarmNames({ alarms }: { alarms: readonly ListedAlarm[] }) {
  const more = alarms.length - MAX_NAMED;
  return (
    <ul className={classes.names} aria-label="Which alarms">
      {alarms.slice(0, MAX_NAMED).map(({ uuid, message, siteName, status }) => (
        <li key={uuid}>
          <b>{withoutSite(message, siteName)}</b>, {siteName}
          {status ? <span className={classes.status}>{status}</span> : null}
        </li>
      ))}
      {more > 0 ? <li>and {more.toLocaleString()} more</li> : null}
    </ul>
  );
}

export interface HandledAlarm extends NamedAlarm {
  outcome: 'done' | 'refused' | 'waiting';
  /** Result of the action on the alarm, or a hint that the alarm still needs a reason. */
  status: ReactNode;
}

const icons = { done: TbCheck, refused: TbAlertCircle, waiting: TbClock } as const;
const order = ['waiting', 'refused', 'done'] as const;

/** Lists the result of an action for each of several alarms. Alarms that still need an action come first. */
export function Results({ label, alarms }: { label: string; alarms: readonly HandledAlarm[] }) {
  const inOrder = alarms.toSorted((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome));
  return (
    <ul className={classes.results} aria-label={label}>
      {inOrder.map(({ uuid, message, siteName, outcome, status }) => {
        const Icon = icons[outcome];
        return (
          <li key={uuid} data-outcome={outcome}>
            <Icon size={16} strokeWidth={1.75} aria-hidden />
            <span>
              <b>{withoutSite(message, siteName)}</b>, {siteName}
              <span className={classes.status}>{status}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
