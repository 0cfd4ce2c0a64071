import { Link } from '@tanstack/react-router';
import { TbMessage2 } from 'react-icons/tb';
import { methodTitle } from '../../../../domain/notification/methods.ts';
import { At } from '../../../kit/format/At.tsx';
import { alarmName } from '../../../kit/format/alarm-name.ts';
import { formatAge } from '../../../ui/time/format.ts';
import { deliveryText, purposeOf } from '../../notification/index.ts';
import detail from './AlarmDetail.module.css';
import classes from './AlarmPage.module.css';
import { MessageLife, type MessageOfAlarm, methodIcons } from './AlarmTimeline.tsx';

export interface ListedMessage extends MessageOfAlarm {
  uuid: string;
  recipientName: string;
  /** The alarm that the message is about, if the list contains messages about several alarms. */
  alarm?: { uuid: string; message: string; siteName: string } | null;
  /** The message text, shown if the message is not about an alarm. */
  notifyMessage?: string;
}

interface MessageListProps {
  messages: readonly ListedMessage[];
  /** True to show the alarm instead of the recipient of each message. */
  byAlarm?: boolean;
}

/** Lists notifications with the time they were queued, the method and the state. A click shows all delivery steps. */
export function MessageList({ messages, byAlarm = false }: MessageListProps) {
  return (
    <ul className={`${classes.rows} ${classes.messages}`}>
      {messages.map((message) => {
        const Icon = methodIcons[message.methodType] ?? TbMessage2;
        const purpose = purposeOf(message);
        return (
          <li key={message.uuid}>
            <span className={classes.when}>
              <At at={message.notifyTime} />
            </span>
            <span className={classes.main}>
              {byAlarm ? <About message={message} /> : <b>{message.recipientName}</b>}
              <span className={`${classes.quiet} ${classes.way}`}>
                <Icon size={14} strokeWidth={1.75} aria-hidden /> {methodTitle(message.methodType)}
                {purpose ? `, ${purpose}` : ''}
              </span>
            </span>
            <details className={`${classes.note} ${detail.life}`}>
              <summary>
                <span className={detail.note} data-failed={message.shownState === 'failed' || undefined}>
                  {deliveryText(message, formatAge)}
                </span>
              </summary>
              <MessageLife message={message} />
            </details>
          </li>
        );
      })}
    </ul>
  );
}

function About({ message: { uuid, kind, alarm, notifyMessage } }: { message: ListedMessage }) {
  if (kind === 'digest') {
    return (
      <Link to="/dashboard/alarms" search={{ show: 'all', digest: uuid }}>
        {notifyMessage}
      </Link>
    );
  }
  return alarm ? (
    <Link to="/dashboard/alarms/$uuid" params={{ uuid: alarm.uuid }}>
      {alarmName(alarm)}
    </Link>
  ) : (
    <span>{notifyMessage}</span>
  );
}
