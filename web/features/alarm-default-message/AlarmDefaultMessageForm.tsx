import { Button, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type MessageFacts, placeholders, unknownPlaceholderWords } from '../../../domain/alarm/message.ts';
import { alarmMessage, alarmText, includesValue, withSeverity } from '../../../domain/alarm/texts.ts';
import { costOf, writePrice } from '../../../domain/money.ts';
import { smsSegments } from '../../../domain/sms.ts';
import { messageOf } from '../../api/http.ts';
import { counted } from '../../kit/format/number.ts';
import { LoadedPanel } from '../../kit/record/LoadedPanel.tsx';
import { RecordPanel } from '../../kit/record/RecordPanel.tsx';
import { Failure } from '../../kit/record/RecordParts.tsx';
import { savedWords } from '../../kit/record/saved-words.ts';
import { useRecordForm } from '../../kit/record/useRecordForm.ts';
import { now } from '../../ui/time/clock.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { toast } from '../../ui/toast/toast.ts';
import { smsPriceQuery } from '../customer/index.ts';
import classes from './AlarmDefaultMessageForm.module.css';
import {
  type AlarmDefaultMessageRecord,
  alarmDefaultMessageRecordQuery,
  chooseDefaultMessage,
  readMessage,
  removeMessage,
  saveMessage,
  usedMessageQuery,
} from './alarm-default-message.queries.ts';
import { PlaceholderButtons } from './PlaceholderButtons.tsx';

type MessageValues = { message: string };

const LONGEST = 500;

/**
 * Form for a default alarm message, with a preview for each notification method. The message in use cannot be deleted.
 */
export default function AlarmDefaultMessageForm({ uuid, onClose }: { uuid: string | null; onClose: () => void }) {
  if (uuid === null) return <Form stored={null} onClose={onClose} />;
  return (
    <LoadedPanel noun="Alarm default message" query={alarmDefaultMessageRecordQuery(uuid)} onClose={onClose}>
      {(stored) => <Form stored={stored} onClose={onClose} />}
    </LoadedPanel>
  );
}

function Form({ stored, onClose }: { stored: AlarmDefaultMessageRecord | null; onClose: () => void }) {
  const client = useQueryClient();
  const timeZone = useTimeZone();
  const record = useRecordForm<MessageValues>({
    name: `alarm_default_message ${stored?.uuid ?? 'new'}`,
    seen: stored
      ? { values: { message: stored.message }, mark: stored.updatedAt }
      : { values: { message: '' }, mark: undefined },
    validate: ({ message }) => ({
      message:
        message.trim() === ''
          ? 'Enter the message.'
          : message.length > LONGEST
            ? `Shorten the message to ${LONGEST} characters.`
            : null,
    }),
    save: async ({ message }, mark) => {
      await saveMessage(stored?.uuid ?? null, message.trim(), mark);
      await client.invalidateQueries({ queryKey: ['alarm-default-message'] });
      toast.success(savedWords('The message', !stored));
    },
    reload: async () => {
      const fresh = stored && (await readMessage(stored.uuid));
      return fresh ? { values: { message: fresh.message }, mark: fresh.updatedAt } : null;
    },
  });
  const { form } = record;
  const { message } = form.getValues();
  const unknown = unknownPlaceholderWords(message);
  const { said, text } = previewOf(message, now(), timeZone);
  const { encoding, units, segments: parts } = smsSegments(text);
  const price = useQuery(smsPriceQuery).data;
  const used = useQuery(usedMessageQuery).data;
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <RecordPanel
      title={stored ? 'Alarm default message' : 'New default message'}
      record={record}
      labels={{ message: 'Message' }}
      onClose={onClose}
      deletion={
        stored && !stored.isUsed
          ? {
              noun: 'alarm_default_message',
              uuid: stored.uuid,
              name: `“${stored.message}”`,
              remove: () => removeMessage(stored.uuid),
            }
          : null
      }
    >
      {stored ? (
        <Use stored={stored} changed={record.changes > 0} onUsed={onClose} />
      ) : used ? (
        <p
          className={classes.use}
        >{`Alarms use “${used.message}”. After saving, you can choose this message instead.`}</p>
      ) : null}
      <div>
        <Textarea ref={field} label="Message" autosize minRows={3} maxRows={8} {...form.getInputProps('message')} />
        <PlaceholderButtons
          names={placeholders}
          field={field}
          onInsert={(added) => form.setFieldValue('message', added)}
        />
        {unknown ? (
          <p className={classes.warning} role="status">
            {unknown}
          </p>
        ) : null}
      </div>
      <dl className={classes.help}>
        {placeholders.map(({ name, description }) => (
          <div key={name}>
            <dt>{`{${name}}`}</dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      <section className={classes.previews} aria-label="Preview">
        <h3>Preview with an example alarm</h3>
        <Preview
          name="SMS"
          text={text}
          note={`${units} ${encoding === 'gsm' ? 'characters' : 'characters (Unicode)'}, ${counted(parts, 'segment')}${price ? `, ${writePrice({ ...price, price: costOf(parts, price) })} per person` : ''}. A link is added if the alarm must be acknowledged.`}
        />
        <Preview name="E-mail" subject={`Kelder Road PS: ${said}`} text={text} note="Includes an Acknowledge button." />
        <Preview name="WhatsApp" text={text} note="WhatsApp shows a link to the alarm below the text." />
        <Preview name="App push" text={text} note="Tapping the message opens the alarm." />
      </section>
    </RecordPanel>
  );
}

interface UseProps {
  stored: AlarmDefaultMessageRecord;
  /** True if the form has unsaved changes. */
  changed: boolean;
  onUsed: () => void;
}

/** Shows whether new alarms use the message. If they do not, offers a button to use it. */
function Use({ stored, changed, onUsed }: UseProps) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  if (stored.isUsed)
    return <p className={classes.use}>Alarms use this message. To delete it, choose another message first.</p>;
  const choose = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await chooseDefaultMessage(stored.uuid);
      await client.invalidateQueries();
      toast.success('New alarms use this message.');
      onUsed();
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  };
  return (
    <div className={classes.use}>
      <p>{`Alarms do not use this message.${changed ? ' Save your changes before you use it.' : ''}`}</p>
      <Button variant="default" loading={busy} disabled={changed} onClick={() => void choose()}>
        Use this message
      </Button>
      <Failure>{failure}</Failure>
    </div>
  );
}

function Preview({ name, subject, text, note }: { name: string; subject?: string; text: string; note: string }) {
  return (
    <div className={classes.preview}>
      <b>{name}</b>
      {subject ? <p className={classes.subject}>{subject}</p> : null}
      <p>{text}</p>
      <p className={classes.note}>{note}</p>
    </div>
  );
}

/** Returns the preview texts for an example alarm: the level of a wet well is too high. */
function previewOf(message: string, time: Date, timeZone: string): { said: string; text: string } {
  const facts: MessageFacts = {
    site: 'Kelder Road PS',
    asset: 'Wet well',
    datapoint: 'Level',
    value: 4.62,
    limit: 'above 4.2 m',
    unit: 'm',
    time,
    timeZone,
  };
  const templates = { rule: '', customer: message, name: 'Wet well level high' };
  const said = alarmMessage(templates, facts);
  const text = alarmText(said, facts, [], includesValue(templates, facts));
  return { said: withSeverity('major', said), text: withSeverity('major', text) };
}
