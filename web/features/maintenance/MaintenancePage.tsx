import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { TbTool } from 'react-icons/tb';
import { messageOf } from '../../api/http.ts';
import { NewButton } from '../../kit/list/NewButton.tsx';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { LoadError } from '../../kit/page/LoadError.tsx';
import { NEW, useRecordAddress } from '../../kit/record/useRecordAddress.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { StateMark } from '../../ui/StateMark.tsx';
import { useFromNow } from '../../ui/time/clock.ts';
import { stateOfEntry } from './calendar.ts';
import classes from './MaintenancePage.module.css';
import { MonthCalendar } from './MonthCalendar.tsx';
import { plannedQuery, type WindowRow } from './maintenance.queries.ts';
import { WindowList } from './WindowList.tsx';

const WindowForm = lazy(() => import('./WindowForm.tsx').then((part) => ({ default: part.WindowForm })));

/** Calendar and list of the maintenance windows, and the panel that adds or changes one. */
export function MaintenancePage() {
  useHeaderTitle('Maintenance');
  const planned = useQuery(plannedQuery);
  const { open, openRecord, close } = useRecordAddress();
  const windows = planned.data ?? [];
  const active = useFromNow((now) => windows.filter((window) => isActive(window, now)).length);
  const add = <NewButton onClick={() => openRecord(NEW)}>Add window</NewButton>;
  return (
    <Page>
      <PageTitle
        count={planned.data?.length}
        actions={add}
        facts={active > 0 ? <StateMark state="maintenance" word={`${active.toLocaleString()} active now`} /> : null}
      >
        Maintenance windows
      </PageTitle>
      <div className={classes.columns}>
        <MonthCalendar openId={open} onOpen={openRecord} />
        <section className={classes.list} aria-label="Active and planned">
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
