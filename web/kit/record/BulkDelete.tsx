import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { plural } from '../../../domain/plural.ts';
import { messageOf } from '../../api/http.ts';
import { counted } from '../format/number.ts';
import { BulkDialog } from '../list/BulkDialog.tsx';
import { deletionWords } from './deletion-words.ts';
import { deletionsEffectsQuery } from './record.queries.ts';

interface BulkDeleteProps<T extends { uuid: string }> {
  /** The table's name, as the server knows it. */
  noun: string;
  /** What one is called: 'site'. */
  one: string;
  records: readonly T[];
  nameOf: (record: T) => string;
  /** The ID that a person types for each record with rules or open alarms; without it nothing is typed. */
  typedIdOf?: (record: T) => string;
  remove: (uuid: string) => Promise<unknown>;
  onClose: () => void;
  onDone: (failed: readonly T[]) => void;
}

/** Asks before several records are deleted, and says what goes with them. */
export function BulkDelete<T extends { uuid: string }>(props: BulkDeleteProps<T>) {
  const { noun, one, records, nameOf, typedIdOf, remove } = props;
  // As they were at first: what is being deleted is not asked about again.
  const [uuids] = useState(() => records.map((record) => record.uuid));
  const effects = useQuery(deletionsEffectsQuery(noun, uuids));
  const { goes, stays } = deletionWords(effects.data?.effects ?? []);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  // While it is not known what goes with them, every ID is asked for.
  const asked = typedIdOf ? records.filter(({ uuid }) => effects.isError || effects.data?.watched.has(uuid)) : [];
  const areTyped = asked.every((record) => typed[record.uuid]?.trim() === typedIdOf?.(record));
  const [first, ...others] = records;
  const name = first && others.length === 0 ? nameOf(first) : counted(records.length, one);
  const them = uuids.length === 1 ? 'it' : 'them';
  return (
    <BulkDialog
      title={`Delete ${name}?`}
      items={records}
      nameOf={nameOf}
      act={(record) => remove(record.uuid)}
      done={(count) => `${counted(count, one)} ${plural(count, 'was', 'were')} deleted.`}
      button="Delete"
      disabled={effects.isPending || !areTyped}
      onClose={props.onClose}
      onDone={props.onDone}
    >
      {effects.isPending ? (
        <p role="status">Finding out what goes with {them}…</p>
      ) : effects.isError ? (
        <p role="alert">
          What goes with {them} could not be found out: {messageOf(effects.error)}
        </p>
      ) : (
        <>
          <p>{goes.length === 0 ? `Nothing else goes with ${them}.` : `This goes with ${them}:`}</p>
          {goes.length > 0 ? (
            <ul>
              {goes.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          ) : null}
          {stays.length > 0 ? <p>{stays.map((line) => `${line}.`).join(' ')}</p> : null}
        </>
      )}
      {asked.map((record) => (
        <TextInput
          key={record.uuid}
          label={`Type ${typedIdOf?.(record)} to delete ${nameOf(record)}`}
          autoComplete="off"
          value={typed[record.uuid] ?? ''}
          onChange={({ currentTarget: { value } }) => setTyped((before) => ({ ...before, [record.uuid]: value }))}
        />
      ))}
    </BulkDialog>
  );
}
