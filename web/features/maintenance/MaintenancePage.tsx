import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { TbTool } from 'react-icons/tb';
import { messageOf } from '../../api/http.ts';
import { NewButton } from '../../kit/list/NewButton.tsx';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { LoadError } from '../../kit/page/LoadError.tsx';
import { NEW, useRecordAddress } from '../../kit/record/useRecordAddress.ts';
import { officeWords } from '../../kit/session/group-words.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { isNarrowed, type ListDefaults, widened } from '../../ui/table/list-view.ts';
import { useListView } from '../../ui/table/useListView.ts';
import { useFromNow } from '../../ui/time/clock.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { unitOfficesQuery } from '../site/index.ts';
import { stateOfEntry } from './calendar.ts';
import classes from './MaintenancePage.module.css';
import { MonthCalendar } from './MonthCalendar.tsx';
import { plannedQuery, type WindowRow } from './maintenance.queries.ts';
import { useWindowFilter } from './useWindowFilter.ts';
import { WindowList } from './WindowList.tsx';
import { scopeLabels } from './window-words.ts';

const WindowForm = lazy(() => import('./WindowForm.tsx').then((part) => ({ default: part.WindowForm })));

const defaults: ListDefaults = { filters: ['office', 'scope'] };
const scopes = Object.entries(scopeLabels).map(([value, label]) => ({ value, label }));

/** Calendar and list of the maintenance windows, and the panel that adds or changes one. */
export function MaintenancePage() {
  useHeaderTitle('Maintenance');
  const planned = useQuery(plannedQuery);
  const { open, openRecord, close } = useRecordAddress();
  const [view, setView] = useListView(defaults);
  const offices = useQuery(unitOfficesQuery).data ?? [];
  const timeZone = useTimeZone();
  const isShown = useWindowFilter(view, planned.data ?? []);
  const windows = (planned.data ?? []).filter(isShown);
  const active = useFromNow((now) => windows.filter((window) => isActive(window, now)).length);
  const add = <NewButton onClick={() => openRecord(NEW)}>Add window</NewButton>;
  return (
    <Page>
      <PageTitle
        count={planned.data && windows.length}
        actions={
          <>
            <FilterSelect
              label={officeWords().isUsual ? 'Office' : officeWords().title}
              name="office"
              options={offices.map(({ uuid, name }) => ({ value: uuid, label: name }))}
              view={view}
              onViewChange={setView}
            />
            <FilterSelect label="Scope" name="scope" options={scopes} view={view} onViewChange={setView} />
            {add}
          </>
        }
        facts={active > 0 ? <StateMark state="maintenance" word={`${active.toLocaleString()} active now`} /> : null}
      >
        Maintenance windows
      </PageTitle>
      <div className={classes.columns}>
        <MonthCalendar isShown={isShown} openId={open} onOpen={openRecord} />
        <section className={classes.list} aria-label="Active and planned">
          <div className={classes.head}>
            <h2>Active and planned</h2>
            <span>{timeZone}</span>
          </div>
          {planned.data === undefined ? (
            planned.isError ? (
              <ErrorState title="The windows could not be loaded" onRetry={() => void planned.refetch()}>
                {messageOf(planned.error)}
              </ErrorState>
            ) : (
              <LoadError query={planned}>
                <div className={classes.waiting} role="status" aria-label="Loading">
                  <Skeleton width="70%" />
                  <Skeleton width="50%" />
                  <Skeleton width="60%" />
                </div>
              </LoadError>
            )
          ) : windows.length === 0 && isNarrowed(view) ? (
            <EmptyState
              title="No window matches the filters"
              action={
                <Button variant="default" size="xs" onClick={() => setView(widened(view))}>
                  Show all windows
                </Button>
              }
            >
              Remove a filter to see more.
            </EmptyState>
          ) : windows.length === 0 ? (
            <EmptyState icon={TbTool} title="No maintenance planned">
              While a window is active, nobody is notified of alarms at its site, asset or sensor. Add a window before
              planned work.
            </EmptyState>
          ) : (
            <WindowList windows={windows} openId={open} onOpen={openRecord} />
          )}
        </section>
      </div>
      {open ? (
        <Suspense>
          <WindowForm id={open} onClose={close} />
        </Suspense>
      ) : null}
    </Page>
  );
}

export function isActive({ next }: WindowRow, now: Date): boolean {
  return next !== null && stateOfEntry(next, now) === 'active';
}
