import { Button } from '@mantine/core';
import { IconCpu, IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { can } from '../../../domain/permission.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { useListView } from '../../ui/table/useListView.ts';
import { useActor } from '../auth/actor.ts';
import { ExportButton } from '../list/ExportButton.tsx';
import { useList } from '../list/useList.ts';
import { NEW, useRecordAddress } from '../record/useRecordAddress.ts';
import { useHeaderTitle } from '../shell/header-middle.ts';
import { commandStates, stateWords } from './command-life.ts';
import { sensorCommandColumns, sensorCommandExport } from './sensor-command.columns.tsx';
import { fetchReplyMessages, replyMessageDefaults, replyMessageListQuery } from './sensor-command.queries.ts';

const CommandForm = lazy(() => import('./CommandForm.tsx').then((file) => ({ default: file.CommandForm })));

const states = commandStates.map((value) => ({ value, label: stateWords[value] }));

export function SensorCommandPage() {
  useHeaderTitle('Sensor-Command');
  const [view, setView] = useListView(replyMessageDefaults);
  const list = useList(replyMessageListQuery(view));
  const mayQueue = can(useActor(), 'reply_message.create');
  const { open, openRecord } = useRecordAddress();
  const { uids } = useSearch({ strict: false }) as { uids?: string };
  const navigate = useNavigate();
  const close = () =>
    void navigate({
      to: '.',
      search: ((before: Record<string, unknown>) => ({ ...before, record: undefined, uids: undefined })) as never,
      resetScroll: false,
    });
  const create = mayQueue ? (
    <Button leftSection={<IconPlus size={14} stroke={1.75} aria-hidden />} onClick={() => openRecord(NEW)}>
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
        empty={
          <EmptyState icon={IconCpu} title="No command was ever queued" action={create}>
            A command waits until its device calls in, and shows here whether it was delivered and what came back.
          </EmptyState>
        }
      />
      {open === NEW && mayQueue ? (
        <Suspense>
          <CommandForm uids={(uids ?? '').split(',').filter(Boolean)} onClose={close} />
        </Suspense>
      ) : null}
    </Page>
  );
}
