import type { ReactNode } from 'react';
import type { IconType } from 'react-icons';
import {
  TbAlertTriangle,
  TbArrowBackUp,
  TbArrowRampRight,
  TbArrowUp,
  TbBan,
  TbBell,
  TbBolt,
  TbBrandWhatsapp,
  TbCheck,
  TbClock,
  TbClockPause,
  TbClockPlus,
  TbDeviceMobile,
  TbMail,
  TbMessage2,
  TbMessageOff,
  TbNote,
  TbPencil,
  TbRepeat,
  TbStack2,
  TbTool,
  TbTrendingDown,
  TbUserCheck,
  TbUserMinus,
  TbUserPlus,
  TbUserShare,
} from 'react-icons/tb';
import { methodTitle } from '../../../../domain/notification/methods.ts';
import { plural } from '../../../../domain/plural.ts';
import { At } from '../../../kit/format/At.tsx';
import { counted } from '../../../kit/format/number.ts';
import { Heading } from '../../../ui/Heading.tsx';
import { formatAge } from '../../../ui/time/format.ts';
import { deliveryText, lifeOf, type Message, purposeOf } from '../../notification/index.ts';
import { NoteForm } from '../acknowledge/NoteForm.tsx';
import classes from './AlarmDetail.module.css';
import type { AlarmDetail } from './alarm-detail.queries.ts';
import { channelWords, messagesOf, type TimelineEntry, timelineOf } from './timeline.ts';

type MessageRow = NonNullable<AlarmDetail['notifications']['nodes'][number]>;

/** A notification with the fields that MessageLife shows. */
export type MessageOfAlarm = Message & { address: string; ackTime: string | null };

export const methodIcons: Record<number, IconType> = {
  1: TbMail,
  2: TbBrandWhatsapp,
  3: TbMessage2,
  4: TbDeviceMobile,
};
const eventIcons: Record<string, IconType> = {
  opened: TbAlertTriangle,
  occurred: TbRepeat,
  clearing: TbTrendingDown,
  'out-again': TbRepeat,
  'one-back': TbTrendingDown,
  resolved: TbCheck,
  escalated: TbArrowUp,
  'escalation-stopped': TbBan,
  'not-notified': TbMessageOff,
  action: TbBolt,
  'rule-changed': TbPencil,
  note: TbNote,
  'acknowledgement-undone': TbArrowBackUp,
  shelved: TbClockPause,
  'shelving-extended': TbClockPlus,
  unshelved: TbBell,
  'maintenance-started': TbTool,
  'maintenance-ended': TbBell,
  'dependency-started': TbArrowRampRight,
  'dependency-ended': TbBell,
  taken: TbUserPlus,
  'taken-over': TbUserShare,
  assigned: TbUserShare,
  released: TbUserMinus,
  digest: TbStack2,
};

/** Shows the alarm's timeline: events, acknowledgements and notifications. */
export function AlarmTimeline({ alarm }: { alarm: AlarmDetail }) {
  const { messages: listed, total } = messagesOf<MessageRow>(alarm);
  const messages = listed.toSorted((a, b) => Number(a.sequenceNumber) - Number(b.sequenceNumber));
  const events = alarm.alarmEvents.nodes.filter((event) => event !== null);
  const entries = timelineOf<MessageRow>({ ...alarm, events, messages });
  const unseen = total - messages.length + (alarm.alarmEvents.totalCount - events.length);
  return (
    <section className={classes.section} aria-label="Timeline">
      <Heading>Timeline</Heading>
      <ol className={classes.timeline}>
        {entries.map((entry) => {
          const { icon: EntryIcon, words } = entryContent(entry);
          return (
            <li key={entry.id}>
              <span className={classes.time}>{entry.at === null ? 'now' : <At at={entry.at} />}</span>
              <span className={classes.node}>
                <EntryIcon size={14} strokeWidth={1.75} aria-hidden />
              </span>
              <div className={classes.words}>{words}</div>
            </li>
          );
        })}
      </ol>
      {messages.length === 0 ? <NoNotification recipients={alarm.recipients} /> : null}
      {unseen > 0 ? (
        <p className={classes.note}>
          {counted(unseen, 'later entry', 'later entries')} {plural(unseen, 'is', 'are')} not shown.
        </p>
      ) : null}
      <NoteForm uuid={alarm.uuid} />
    </section>
  );
}

/** Shows that no notification was sent, with the reasons stored in the alarm. */
function NoNotification({ recipients }: { recipients: unknown }) {
  const notes = typeof recipients === 'object' && recipients !== null ? (recipients as { notes?: unknown }).notes : [];
  const because = Array.isArray(notes) ? notes.filter((note) => typeof note === 'string').join(' ') : '';
  return <p className={classes.note}>No notification was sent. {because}</p>;
}

function entryContent(entry: TimelineEntry<MessageRow>): { icon: IconType; words: ReactNode } {
  switch (entry.kind) {
    case 'message':
      return {
        icon: methodIcons[entry.message.methodType] ?? TbMessage2,
        words: <MessageWords message={entry.message} />,
      };
    case 'acknowledged': {
      const { name, channel, reason, text } = entry.acknowledgement;
      return {
        icon: TbUserCheck,
        words: (
          <>
            <b>Acknowledged</b> by <b>{name}</b> {channelWords(channel)}
            <span className={classes.quote}>
              {reason}
              {text ? `. “${text}”` : ''}
            </span>
          </>
        ),
      };
    }
    case 'event':
      return {
        icon: eventIcons[entry.event] ?? TbClock,
        words: (
          <>
            <b>{entry.title}</b>
            {entry.sentence ? <span className={classes.quote}>{entry.sentence}</span> : null}
          </>
        ),
      };
    case 'still-open':
      return { icon: TbClock, words: <span className={classes.note}>Still open</span> };
  }
}

/** Shows a notification in one line. A click shows all its delivery steps. */
function MessageWords({ message }: { message: MessageRow }) {
  const purpose = purposeOf(message);
  const line = (
    <>
      {methodTitle(message.methodType)} to <b>{message.recipientName}</b>
      {purpose ? `, ${purpose},` : ''}{' '}
      <span className={classes.note} data-failed={message.shownState === 'failed' || undefined}>
        {deliveryText(message, formatAge)}
      </span>
    </>
  );
  return (
    <details className={classes.life}>
      <summary>{line}</summary>
      <MessageLife message={message} />
    </details>
  );
}

/** Lists all delivery steps of a notification, from queued to acknowledged. */
export function MessageLife({ message }: { message: MessageOfAlarm }) {
  return (
    <ul>
      {/* A push address is a technical browser endpoint, so it is not shown. */}
      {message.methodType === 4 ? null : <li>To {message.address}</li>}
      {lifeOf(message).map((step) => (
        <li key={`${step.at} ${step.words}`}>
          <At at={step.at} /> {step.words}
          {step.answer ? `: ${step.answer}` : ''}
        </li>
      ))}
      {message.ackTime === null ? null : (
        <li>
          <At at={message.ackTime} /> The alarm was acknowledged
        </li>
      )}
    </ul>
  );
}
