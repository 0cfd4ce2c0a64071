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
  /** The table's name on the server. */
  noun: string;
  /** Singular noun: 'site'. */
  one: string;
  records: readonly T[];
  nameOf: (record: T) => string;
  /** Returns the ID that the user must type for a record with rules or open alarms. If omitted, no ID is required. */
  typedIdOf?: (record: T) => string;
  remove: (uuid: string) => Promise<unknown>;
  onClose: () => void;
  onDone: (failed: readonly T[]) => void;
}

/** Confirms the deletion of several records and lists the related records that are deleted with them. */
export function BulkDelete<T extends { uuid: string }>(props: BulkDeleteProps<T>) {
  const { noun, one, records, nameOf, typedIdOf, remove } = props;
  // Keeps the uuids with which the dialog was opened, so that the effects are not fetched again while records are being
  // deleted.
  const [uuids] = useState(() => records.map((record) => record.uuid));
  const effects = useQuery(deletionsEffectsQuery(noun, uuids));
  const { goes, stays } = deletionWords(effects.data?.effects ?? []);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  // If the effects could not be loaded, the user must type every ID.
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
        <p role="status">Checking what else is deleted…</p>
      ) : effects.isError ? (
        <p role="alert">The effects could not be loaded: {messageOf(effects.error)}</p>
      ) : (
        <>
          <p>{goes.length === 0 ? `Nothing else is deleted with ${them}.` : `This also deletes:`}</p>
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
