import { Drawer, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { hasJustOpened } from '../../../kit/format/alarm.ts';
import { useHeaderTitle } from '../../../kit/page/header-slot.ts';
import { PlantPeopleOnly } from '../../../kit/session/PlantPeopleOnly.tsx';
import { Page } from '../../../ui/Page.tsx';
import { type ListDefaults, offsetOf } from '../../../ui/table/list-view.ts';
import { useListView } from '../../../ui/table/useListView.ts';
import { now } from '../../../ui/time/clock.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { AcknowledgeDialog } from '../acknowledge/AcknowledgeDialog.tsx';
import { ResolveDialog } from '../acknowledge/ResolveDialog.tsx';
import { type AlarmAction, type DialogAlarm, useAlarmDialog } from '../acknowledge/useAlarmDialog.ts';
import { fetchAlarms } from '../alarm.queries.ts';
import { DashboardTabs } from '../bell/DashboardTabs.tsx';
import { REFRESH } from '../bell/useOpenAlarms.ts';
import { AlarmDetail } from '../detail/AlarmDetail.tsx';
import { useAlarm } from '../detail/useAlarm.ts';
import { FloodBanner } from '../flood/FloodBanner.tsx';
import { ListedSource } from '../flood/ListedSource.tsx';
import { ShelveDialog } from '../shelve/ShelveDialog.tsx';
import { AlarmFilters } from './AlarmFilters.tsx';
import { AlarmList } from './AlarmList.tsx';
import classes from './AlarmListPage.module.css';
import { filterNames, filterOf } from './alarm-filter.ts';
import { type Handle, useAlarmSelection } from './useAlarmSelection.ts';

/**
 * Refetch interval in milliseconds after an alarm has opened. It is shorter than usual, because the server stores the
 * alarm's current value slightly later.
 */
const REFRESH_AFTER_OPENING = 3_000;

const defaults: ListDefaults = { size: 100, filters: filterNames };

const none: never[] = [];

type HandleOne = (what: AlarmAction, alarm: DialogAlarm) => void;

export function AlarmListPage() {
  useHeaderTitle('Alarms');
  return (
    <Page fill>
      <PlantPeopleOnly title="Alarms">
        <Alarms />
      </PlantPeopleOnly>
    </Page>
  );
}

function Alarms() {
  const [view, setView] = useListView(defaults);
  const [openId, show] = useOpenAlarm();
  const narrow = useMediaQuery('(max-width: 1023px)', false, { getInitialValueInEffect: false });
  const filter = filterOf(view, useTimeZone());
  const queryKey = ['alarm', 'list', filter, view.size, view.page];
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) => fetchAlarms({ ...filter, size: view.size, offset: offsetOf(view) }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (hasJustOpened(state.data?.rows, now()) ? REFRESH_AFTER_OPENING : REFRESH),
  });
  const { acknowledging, named, link, resolving, shelving, handle: openDialog, stop } = useAlarmDialog(openId);
  const open = (uuid: string | undefined) => {
    // The shelve dialog covers the alarm's panel, so it closes with the panel.
    if (shelving !== undefined) stop(false);
    show(uuid);
  };
  const close = () => open(undefined);
  const handle: Handle = (what, alarms, onDone) => {
    openDialog(what, alarms, onDone);
    if (what === 'shelve' && !narrow) show(alarms[0]?.uuid);
  };
  const [selecting, setSelecting] = useState(false);
  const selection = useAlarmSelection(list.data?.rows ?? noRows, handle, () => setSelecting(false));
  const handleOne: HandleOne = (what, alarm) => openDialog(what, [alarm]);
  // Do not open a dialog for an alarm that no longer exists: the detail panel already shows that it was not found.
  const isGone = useAlarm(openId ?? '', openId !== undefined).data === null;
  const isHandling = !isGone && (acknowledging.length + resolving.length > 0 || shelving !== undefined);
  return (
    <div className={classes.split} data-open={(openId && !narrow) || undefined}>
      <div className={classes.pane}>
        <VisuallyHidden component="h1">Alarms</VisuallyHidden>
        <DashboardTabs>
          <AlarmFilters view={view} onViewChange={setView} />
        </DashboardTabs>
        <FloodBanner />
        <ListedSource view={view} onViewChange={setView} />
        <AlarmList
          list={list}
          listKey={JSON.stringify(queryKey)}
          view={view}
          onViewChange={setView}
          openId={openId}
          onOpen={open}
          selection={selection}
          selecting={selecting}
          onSelecting={setSelecting}
        />
      </div>
      {narrow ? (
        <Drawer.Root
          opened={openId !== undefined}
          onClose={close}
          position="bottom"
          size="90%"
          padding={0}
          // While a dialog is open, Escape closes only that dialog.
          closeOnEscape={!isHandling}
        >
          <Drawer.Overlay />
          <Drawer.Content className={classes.sheet} aria-label="Alarm">
            {openId ? <AlarmDetail uuid={openId} onClose={close} onHandle={handleOne} /> : null}
          </Drawer.Content>
        </Drawer.Root>
      ) : openId ? (
        <aside className={classes.detail} data-beside aria-label="Alarm">
          <div className={classes.content}>
            <AlarmDetail
              uuid={openId}
              keysUseSelection={selection.keysUseSelection}
              onClose={close}
              onHandle={handleOne}
            />
          </div>
          <ShelveDialog uuid={shelving} inPane onClose={() => stop(false)} />
        </aside>
      ) : null}
      <AcknowledgeDialog uuids={isGone ? none : acknowledging} named={named} link={link} onClose={stop} />
      <ResolveDialog alarms={resolving} onClose={stop} />
      {narrow ? <ShelveDialog uuid={shelving} onClose={() => stop(false)} /> : null}
    </div>
  );
}

const noRows: never[] = [];

/**
 * Returns the open alarm and a function that opens another one. The URL contains the alarm's uuid: users can share the
 * link, and the browser's back button closes the alarm. Switching between alarms adds no history entry.
 */
function useOpenAlarm(): [string | undefined, (uuid: string | undefined) => void] {
  const { alarm } = useSearch({ strict: false }) as { alarm?: string };
  const navigate = useNavigate();
  const { history } = useRouter();
  const openedHere = useLocation({ select: ({ state }) => state.openedFromList === true });
  const open = (uuid: string | undefined) => {
    if (uuid === alarm) {
      return;
    }
    if (uuid === undefined && openedHere) {
      history.back();
      return;
    }
    void navigate({
      to: '.',
      search: ((before: Record<string, unknown>) => ({ ...before, alarm: uuid, acknowledge: undefined })) as never,
      replace: alarm !== undefined,
      state: { openedFromList: alarm === undefined || openedHere },
      resetScroll: false,
    });
  };
  return [alarm && /^[0-9a-f-]{36}$/i.test(alarm) ? alarm : undefined, open];
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** True if the previous history entry is the list without an open alarm. */
    openedFromList?: boolean;
  }
}
