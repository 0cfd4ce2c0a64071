import { Button } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { TbCpu, TbPlus } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { plural } from '../../../domain/plural.ts';
import { counted } from '../../kit/format/number.ts';
import { BulkActions } from '../../kit/list/BulkActions.tsx';
import { BulkDialog } from '../../kit/list/BulkDialog.tsx';
import { ExportButton } from '../../kit/list/ExportButton.tsx';
import { useList } from '../../kit/list/useList.ts';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { NEW, useRecordAddress } from '../../kit/record/useRecordAddress.ts';
import { useActor } from '../../kit/session/actor.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { commandStates, stateOf, stateWords } from './command-life.ts';
import { sensorCommandColumns, sensorCommandExport } from './sensor-command.columns.tsx';
import {
  cancelCommand,
  fetchReplyMessages,
  type ReplyMessageRow,
  replyMessageDefaults,
  replyMessageListQuery,
} from './sensor-command.queries.ts';

const CommandForm = lazy(() => import('./CommandForm.tsx').then((file) => ({ default: file.CommandForm })));

const states = commandStates.map((value) => ({ value, label: stateWords[value] }));

export function SensorCommandPage() {
  useHeaderTitle('Sensor-Command');
  const [view, setView] = useListView(replyMessageDefaults);
  const list = useList(replyMessageListQuery(view));
  const mayQueue = can(useActor(), 'reply_message.create');
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set());
  const chosen = (list.rows ?? []).filter(({ id }) => selection.has(id));
  const waiting = chosen.filter(({ state }) => stateOf(state) === 'queued');
  // The commands that were queued when the dialog opened. If one of them is sent in the meantime, the dialog keeps it
  // in the list and reports it as sent.
  const [cancelling, setCancelling] = useState<readonly ReplyMessageRow[] | null>(null);
  const { open, openRecord, close } = useRecordAddress();
  const { uids } = useSearch({ strict: false }) as { uids?: string };
  const create = mayQueue ? (
    <Button leftSection={<TbPlus size={14} strokeWidth={1.75} aria-hidden />} onClick={() => openRecord(NEW)}>
      New command
    </Button>
  ) : null;
  return (
    <Page fill>
      <PageTitle
        count={list.total}
        actions={
          <>
            <ExportButton name="sensor-commands" view={view} fetch={fetchReplyMessages} columns={sensorCommandExport} />
            {create}
          </>
        }
      >
        Sensor commands
      </PageTitle>
      <DataTable
        {...list}
        label="Sensor commands"
        columns={sensorCommandColumns}
        rowId={(message) => message.id}
        view={view}
        onViewChange={setView}
        searchHint="UID or number"
        filters={<FilterSelect label="State" name="state" options={states} view={view} onViewChange={setView} />}
        {...(mayQueue ? { selection, onSelectionChange: setSelection } : {})}
        bulkBar={
          <BulkActions count={chosen.length} onClear={() => setSelection(new Set())}>
            <button
              type="button"
              disabled={waiting.length === 0}
              title={waiting.length === 0 ? 'None of the selected commands is queued.' : undefined}
              onClick={() => setCancelling(waiting)}
            >
              Cancel commands
            </button>
          </BulkActions>
        }
        empty={
          <EmptyState icon={TbCpu} title="No commands yet" action={create}>
            A command is sent when its device connects. Its state and the device’s reply appear here.
          </EmptyState>
        }
      />
      {open === NEW && mayQueue ? (
        <Suspense>
          <CommandForm uids={(uids ?? '').split(',').filter(Boolean)} onClose={close} />
        </Suspense>
      ) : null}
      {cancelling ? (
        <BulkDialog<ReplyMessageRow>
          title={`Cancel ${counted(cancelling.length, 'command')}?`}
          button="Cancel commands"
          dismiss="Keep"
          done={(count) => `${counted(count, 'command')} ${plural(count, 'was', 'were')} cancelled.`}
          items={cancelling}
          nameOf={({ uid, id }) => `${uid}, No. ${id}:`}
          act={({ id }) => cancelCommand(id)}
          onClose={() => setCancelling(null)}
          onDone={(failed) => setSelection(new Set(failed.map(({ id }) => id)))}
        >
          <p>{cancelEffect(cancelling.length, chosen.length - cancelling.length)}</p>
        </BulkDialog>
      ) : null}
    </Page>
  );
}

function cancelEffect(count: number, others: number): string {
  const effect =
    count === 1
      ? 'The device will not receive the command. The list will show that you cancelled it.'
      : 'The devices will not receive the commands. The list will show that you cancelled them.';
  return others > 0 ? `${effect} Commands that are no longer queued are not cancelled.` : effect;
}
