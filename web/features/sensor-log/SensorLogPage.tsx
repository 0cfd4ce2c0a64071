import { ActionIcon, Button, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { TbBinary, TbCpu, TbRefresh } from 'react-icons/tb';
import { DAYS_REVERSED } from '../../../domain/report/range.ts';
import { logRanges, rangeOfDays, rangeWords } from '../../kit/format/log-range.ts';
import { ExportButton } from '../../kit/list/ExportButton.tsx';
import { useList } from '../../kit/list/useList.ts';
import { useParameter } from '../../kit/list/useParameter.ts';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { type ListDefaults, type ListView, withFilter } from '../../ui/table/list-view.ts';
import { useListView } from '../../ui/table/useListView.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import type { Trial } from './Decoder.tsx';
import { readFrame } from './decoded-frame.ts';
import { problemText } from './rejected-device.ts';
import classes from './SensorLogPage.module.css';
import { type LogEntry, sensorLogColumns, sensorLogExport } from './sensor-log.columns.tsx';
import { frameFormatsQuery, type SensorLogRow, sensorLogQuery } from './sensor-log.queries.ts';

const Decoder = lazy(() => import('./Decoder.tsx').then((file) => ({ default: file.Decoder })));

const defaults: ListDefaults = { size: 500, filters: ['from', 'to'] };
const MOST = 500;
const noFormats: ReadonlyMap<string, string> = new Map();
const blank: Trial = { uid: '', rawData: '', encoding: 'text' };

const keyOf = ({ autoId, dateTime }: Pick<SensorLogRow, 'autoId' | 'dateTime'>) => `${autoId} ${dateTime}`;

export function SensorLogPage() {
  useHeaderTitle('Sensor-log');
  const timeZone = useTimeZone();
  const [view, setView] = useListView(defaults);
  const [range, setRange] = useParameter('range', logRanges);
  const [tail, setTail] = useState(false);
  const [trial, setTrial] = useState<{ key: string; frame: Trial } | null>(null);
  const days = rangeOfDays(view.filters.from ?? '', view.filters.to ?? '', timeZone);
  const list = useList(sensorLogQuery({ range, days, text: view.search, tail }));
  const entries = useEntries(list.rows);
  return (
    <Page fill>
      <PageTitle
        actions={
          <>
            <ExportButton<LogEntry>
              name="sensor-log"
              view={view}
              fetch={async ({ page }) => ({
                rows: page === 1 ? [...(entries ?? [])] : [],
                total: entries?.length ?? 0,
              })}
              columns={sensorLogExport}
            />
            <Button
              variant="default"
              leftSection={<TbBinary size={16} strokeWidth={1.75} aria-hidden />}
              onClick={() => setTrial({ key: 'blank', frame: blank })}
            >
              Decoder
            </Button>
          </>
        }
      >
        Sensor log
      </PageTitle>
      <DataTable
        {...list}
        rows={entries}
        label="Sensor log"
        columns={sensorLogColumns}
        rowId={keyOf}
        view={{ ...view, page: 1, size: MOST }}
        onViewChange={setView}
        searchHint="UID or text in the raw data"
        filters={
          <>
            <Segmented
              label="Range"
              options={[
                { value: '1h', label: 'Last hour' },
                { value: '24h', label: '24 hours' },
                { value: '7d', label: '7 days' },
                { value: 'days', label: 'Days' },
              ]}
              value={range}
              onChange={setRange}
            />
            {range === 'days' ? <Days view={view} onViewChange={setView} /> : null}
            <Switch label="Live" checked={tail} onChange={(event) => setTail(event.currentTarget.checked)} />
            <ActionIcon
              className={classes.refresh}
              variant="default"
              size="var(--control)"
              aria-label="Refresh"
              onClick={list.onRetry}
            >
              <TbRefresh size={16} strokeWidth={1.75} aria-hidden />
            </ActionIcon>
          </>
        }
        onOpen={(entry) => setTrial({ key: keyOf(entry), frame: { ...entry, problem: problemText(entry) } })}
        openId={trial?.key}
        foot={
          list.total === MOST
            ? `The ${MOST} newest frames of the ${rangeWords[range]}`
            : `All frames of the ${rangeWords[range]}`
        }
        empty={
          <EmptyState
            icon={TbCpu}
            title={
              range === 'days' && !days
                ? 'Choose the first and the last day'
                : `No frame arrived in the ${rangeWords[range]}`
            }
            action={
              range === '7d' ? null : (
                <Button variant="default" size="xs" onClick={() => setRange('7d')}>
                  Last 7 days
                </Button>
              )
            }
          >
            The log contains every frame unchanged, even if it cannot be decoded. It also shows why a device was
            rejected.
          </EmptyState>
        }
      />
      {trial ? (
        <Suspense>
          <Decoder key={trial.key} frame={trial.frame} onClose={() => setTrial(null)} />
        </Suspense>
      ) : null}
    </Page>
  );
}

/** Returns the frames with their decoded values. Each frame is decoded in the format that is set for its sensor. */
function useEntries(rows: readonly SensorLogRow[] | undefined): LogEntry[] | undefined {
  const uids = useMemo(() => [...new Set((rows ?? []).map(({ uid }) => uid))].sort(), [rows]);
  const formats = useQuery(frameFormatsQuery(uids)).data ?? noFormats;
  return useMemo(
    () => rows?.map((row) => ({ ...row, reading: readFrame(row, formats.get(row.uid) ?? 'auto') })),
    [rows, formats],
  );
}

function Days({ view, onViewChange }: { view: ListView; onViewChange: (next: ListView) => void }) {
  const { from = '', to = '' } = view.filters;
  return (
    <span className={classes.days}>
      {(['from', 'to'] as const).map((name) => (
        <input
          key={name}
          type="date"
          aria-label={name === 'from' ? 'First day' : 'Last day'}
          value={view.filters[name] ?? ''}
          onChange={(event) => onViewChange(withFilter(view, name, event.currentTarget.value))}
        />
      ))}
      {from !== '' && to !== '' && to < from ? (
        <span className={classes.problem} role="alert">
          {DAYS_REVERSED}
        </span>
      ) : null}
    </span>
  );
}
