import type { ReactNode } from 'react';
import { TbAlertCircle, TbCheck, TbClock, TbUserCheck } from 'react-icons/tb';
import { At } from '../../../kit/format/At.tsx';
import type { Acknowledgement, Resolution } from '../../../kit/format/alarm.ts';
import { withoutSite } from '../../../kit/format/alarm-name.ts';
import { useUser } from '../../../kit/session/session.ts';
import { CopyLine } from '../../../ui/CopyLine.tsx';
import classes from './AlarmDialog.module.css';
import type { NamedAlarm } from './reasons.ts';

/** What went wrong, with what to do, inside a dialog that stays open. */
export function Trouble({ children }: { children: ReactNode }) {
  return (
    <p className={classes.trouble} role="alert">
      <TbAlertCircle size={16} strokeWidth={1.75} aria-hidden />
      <span>{children}</span>
    </p>
  );
}

/** Who acknowledged first: a second acknowledgement is refused. */
export function First({ acknowledgement }: { acknowledgement: Acknowledgement }) {
  const { by, name, at, reason, text } = acknowledgement;
  const isMine = by === useUser().uuid;
  return (
    <Quicker title={isMine ? 'You have acknowledged it already' : `${name} was first`}>
      {at === null ? null : (
        <>
          Acknowledged <At at={at} />
          {reason ? ': ' : '. '}
        </>
      )}
      {reason}
      {text ? `. “${text}”` : ''}
    </Quicker>
  );
}

/** Who or what was quicker to resolve it. */
export function FirstResolved({ resolution }: { resolution: Resolution }) {
  const { by, name, at, note } = resolution;
  const isMine = by === useUser().uuid;
  const title = isMine ? 'You have resolved it already' : name === null ? 'It resolved by itself' : `${name} was first`;
  return (
    <Quicker title={title}>
      Resolved <At at={at} />
      {note ? `: “${note}”` : '.'}
    </Quicker>
  );
}

function Quicker({ title, children }: { title: string; children: ReactNode }) {
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

/** What was written for an acknowledgement or a resolution that another one forestalled: recorded nowhere, so it stays to be taken along. */
export function Unsent({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <div className={classes.unsent}>
      <p>Your text was not saved. Copy it if you still need it.</p>
      <CopyLine label="what you wrote">{texts.join('\n')}</CopyLine>
    </div>
  );
}

const MOST_NAMED = 5;

interface Listed extends NamedAlarm {
  /** How it stands now, where that is worth a word. */
  status?: ReactNode;
}

/** Which alarms a dialog is about: the first ones by name, and how many more there are. */
export function Names({ alarms }: { alarms: readonly Listed[] }) {
  const more = alarms.length - MOST_NAMED;
  return (
    <ul className={classes.names} aria-label="Which alarms">
      {alarms.slice(0, MOST_NAMED).map(({ uuid, message, siteName, status }) => (
        <li key={uuid}>
          <b>{withoutSite(message, siteName)}</b>, {siteName}
          {status ? <span className={classes.status}>{status}</span> : null}
        </li>
      ))}
      {more > 0 ? <li>and {more.toLocaleString()} more</li> : null}
    </ul>
  );
}

export interface Handled extends NamedAlarm {
  fate: 'done' | 'refused' | 'waiting';
  /** What became of it, or what it needs. */
  status: ReactNode;
}

const fates = { done: TbCheck, refused: TbAlertCircle, waiting: TbClock } as const;
const order = ['waiting', 'refused', 'done'] as const;

/** What became of each of many alarms. What needs somebody must not hide below those that are done. */
export function Results({ label, alarms }: { label: string; alarms: readonly Handled[] }) {
  const inOrder = alarms.toSorted((one, other) => order.indexOf(one.fate) - order.indexOf(other.fate));
  return (
    <ul className={classes.results} aria-label={label}>
      {inOrder.map(({ uuid, message, siteName, fate, status }) => {
        const Icon = fates[fate];
        return (
          <li key={uuid} data-fate={fate}>
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
