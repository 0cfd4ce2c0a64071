import { Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { fieldSentences } from '../../../domain/field-sentences.ts';
import { plural } from '../../../domain/plural.ts';
import { GraphqlError } from '../../api/graphql.ts';
import { counted } from '../../kit/format/number.ts';
import { runAll } from '../../kit/list/run-all.ts';
import { LinkList } from '../../kit/record/LinkList.tsx';
import type { Option } from '../../kit/record/Picker.tsx';
import { RecordPanel } from '../../kit/record/RecordPanel.tsx';
import { useRecordForm } from '../../kit/record/useRecordForm.ts';
import { NumberField } from '../../ui/NumberField.tsx';
import { now } from '../../ui/time/clock.ts';
import { toast } from '../../ui/toast/toast.ts';
import { uidSource } from '../sensor/index.ts';
import { expiryOf } from './command-life.ts';
import { queueCommand } from './sensor-command.queries.ts';
import { Templates } from './Templates.tsx';

type CommandValues = {
  uid: Option[];
  replyCommand: string;
  expiresOn: number | string;
};

const labels = { uid: 'Sensors', replyCommand: 'Command', expiresOn: 'Expires after' } as const;

function errorsOf({ uid, replyCommand, expiresOn }: CommandValues) {
  const hours = Number(expiresOn);
  return {
    uid: uid.length === 0 ? 'Choose at least one sensor.' : null,
    replyCommand: replyCommand.trim() === '' ? fieldSentences['command-text-missing'] : null,
    expiresOn:
      expiresOn !== '' && !(hours > 0 && hours <= 8760)
        ? 'Enter a number of hours from 1 to 8,760, or leave the field empty.'
        : null,
  };
}

interface CommandFormProps {
  /** UIDs of the sensors that are selected when the form opens. */
  uids: readonly string[];
  onClose: () => void;
}

/** Form that queues one command for one or more sensors. */
export function CommandForm({ uids, onClose }: CommandFormProps) {
  const client = useQueryClient();
  const queued = useRef(new Set<string>());
  const record = useRecordForm<CommandValues>({
    name: `sensor-command ${uids.join(',') || 'new'}`,
    seen: {
      values: { uid: uids.map((uid) => ({ value: uid, label: uid })), replyCommand: '', expiresOn: '' },
      mark: undefined,
    },
    validate: errorsOf,
    save: async ({ uid, replyCommand, expiresOn }) => {
      const expires = expiryOf(expiresOn, now());
      // If queuing fails for some sensors, a second attempt must skip the sensors for which the command is already
      // queued.
      const markOf = (value: string) => `${value} ${replyCommand.trim()}`;
      const waiting = uid.map(({ value }) => value).filter((value) => !queued.current.has(markOf(value)));
      let refusal: unknown;
      const { done, failed } = await runAll(waiting, async (value) => {
        try {
          await queueCommand({
            uid: value,
            replyCommand: replyCommand.trim(),
            ...(expires === undefined ? {} : { expiresOn: expires }),
          });
        } catch (error) {
          refusal = error;
          throw error;
        }
      });
      for (const value of done) queued.current.add(markOf(value));
      await client.invalidateQueries({ queryKey: ['sensor-command'] });
      const [first] = failed;
      if (!first) {
        toast.success(`Command queued for ${counted(uid.length, 'sensor')}.`);
        return;
      }
      const field = refusal instanceof GraphqlError ? refusal.field : undefined;
      const others =
        failed.length > 1
          ? ` ${counted(failed.length - 1, 'other sensor')} ${plural(failed.length - 1, 'was', 'were')} also refused.`
          : '';
      throw new GraphqlError(
        200,
        field === 'uid' ? `${first.item} was refused. ${first.problem}${others}` : first.problem,
        'REFUSED',
        field,
      );
    },
  });
  const { form } = record;
  const values = form.getValues();
  return (
    <RecordPanel title="New command" saveLabel="Queue" record={record} labels={labels} onClose={onClose}>
      <div data-path="uid">
        <LinkList
          label="Add a sensor"
          source={uidSource}
          value={values.uid}
          onChange={(next) => form.setFieldValue('uid', next as never)}
          empty="No sensor chosen yet."
        />
        {form.errors.uid ? (
          <p className="mantine-InputWrapper-error" role="alert" style={{ color: 'var(--critical-fg)' }}>
            {form.errors.uid}
          </p>
        ) : null}
      </div>
      <Textarea
        label={labels.replyCommand}
        description="Sent when the device connects, and repeated until the device confirms receipt."
        autosize
        minRows={2}
        maxLength={500}
        spellCheck={false}
        {...form.getInputProps('replyCommand')}
      />
      <Templates
        command={values.replyCommand}
        onChoose={(command) => form.setFieldValue('replyCommand', command as never)}
      />
      <NumberField
        label={labels.expiresOn}
        description="In hours. Leave empty for the server’s default."
        rightSection="hours"
        rightSectionWidth={60}
        rightSectionPointerEvents="none"
        least={0}
        {...form.getInputProps('expiresOn')}
      />
    </RecordPanel>
  );
}
