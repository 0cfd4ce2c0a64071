import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { TbTrash } from 'react-icons/tb';
import { can, type Noun, type Permission } from '../../../domain/permission.ts';
import { hasListOpen } from '../../ui/page-keys.ts';
import { PanelBody, PanelFrame, PanelHead } from '../../ui/SidePanel.tsx';
import { useActor } from '../session/actor.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import classes from './RecordPanel.module.css';
import { Failure, RecordQuestions, Restored } from './RecordParts.tsx';
import { useFocusFirstField } from './useFocusFirstField.ts';
import type { RecordForm } from './useRecordForm.ts';

interface Deletion {
  /** The table's name on the server. The permission to delete has the same name: `site.delete`. */
  noun: Noun;
  /** The permission to delete, if it is not named after the table. */
  needs?: Permission;
  uuid: string;
  name: string;
  /** The ID that the user must type to delete a record with rules or open alarms. */
  typedId?: string;
  /** Deletes the record. Throws the server's error if that fails. */
  remove: () => Promise<unknown>;
  /** Called after the deletion. If omitted, the panel closes. */
  onDeleted?: () => void;
}

interface RecordPanelProps<V extends Record<string, unknown>> {
  /** The heading: the record's name, or a text such as 'New site'. */
  title: string;
  record: RecordForm<V>;
  onClose: () => void;
  /** Called after a successful save. If omitted, the panel closes. */
  onSaved?: () => void;
  /** Adds a delete button for users who may delete. Its dialog lists the related records that are deleted too. */
  deletion?: Deletion | null | undefined;
  /** Labels of the fields, for the conflict dialog. */
  labels: Readonly<Partial<Record<keyof V & string, string>>>;
  /** Tabs or other content between the heading and the fields. */
  head?: ReactNode;
  saveLabel?: string;
  children: ReactNode;
}

/** The panel beside a table in which the user adds or edits one record. */
export function RecordPanel<V extends Record<string, unknown>>(props: RecordPanelProps<V>) {
  const { title, record, onClose, onSaved, labels, head, children } = props;
  const actor = useActor();
  const deletion =
    props.deletion && can(actor, props.deletion.needs ?? `${props.deletion.noun}.delete`) ? props.deletion : null;
  const panel = useRef<HTMLElement>(null);
  const [deleting, setDeleting] = useState(false);
  const { changes, saving, leaving } = record;
  useFocusFirstField(panel, record, { isNew: !props.deletion });

  const finish = () => {
    leaving.current = true;
    (onSaved ?? onClose)();
  };
  const submit = async (event?: FormEvent) => {
    event?.preventDefault();
    if (await record.submit()) finish();
  };
  return (
    <PanelFrame ref={panel} title={title}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => void submit(event)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented && !hasListOpen(event.target)) onClose();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(event);
        }}
      >
        <PanelHead title={title} onClose={onClose} />
        {head}
        <PanelBody>
          <Restored record={record} />
          {children}
        </PanelBody>
        <Failure>{record.failure}</Failure>
        <div className={classes.foot}>
          {deletion ? (
            <Button
              variant="subtle"
              className={classes.delete}
              leftSection={<TbTrash size={16} strokeWidth={1.75} aria-hidden />}
              onClick={() => setDeleting(true)}
            >
              Delete
            </Button>
          ) : null}
          <span className={classes.changes} aria-live="polite">
            {changes === 0 ? '' : changes === 1 ? '1 change not saved' : `${changes} changes not saved`}
          </span>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={saving}>
            {props.saveLabel ?? 'Save'}
          </Button>
        </div>
      </form>
      <RecordQuestions record={record} labels={labels} onSaved={finish} />
      {deletion && deleting ? (
        <DeleteDialog
          {...deletion}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            record.abandon();
            (deletion.onDeleted ?? onClose)();
          }}
        />
      ) : null}
    </PanelFrame>
  );
}
