import { VisuallyHidden } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { TbBell } from 'react-icons/tb';
import { can } from '../../../../domain/permission.ts';
import { titleCount } from '../../../kit/brand/title-count.ts';
import tabBar from '../../../kit/page/TabBar.module.css';
import { useActor } from '../../../kit/session/actor.ts';
import { bellWords } from '../count-words.ts';
import classes from './AlarmBell.module.css';
import { useAlarmNews } from './useAlarmNews.ts';
import { useNewAlarms } from './useNewAlarms.ts';
import { useOpenAlarms } from './useOpenAlarms.ts';

/**
 * The bell in the header with the number of unacknowledged alarms. It also refetches all queries with alarms, updates
 * the browser tab's icon and title, and plays a sound for new alarms.
 */
export function AlarmBell() {
  const allowed = can(useActor(), 'alarm.read');
  const { data } = useOpenAlarms();
  const waiting = allowed ? (data?.unacknowledged ?? 0) : 0;
  const words = useNewAlarms(data);
  useAlarmNews(allowed);
  useAlarmFavicon(waiting > 0);
  useBadges(waiting);
  if (!allowed) {
    return null;
  }
  const name = data ? bellWords(data) : 'Alarms';
  return (
    <>
      <Link className={classes.bell} to="/dashboard/alarms" aria-label={name} title={name}>
        <TbBell size={20} strokeWidth={1.75} aria-hidden />
        {data ? <span aria-hidden>{waiting.toLocaleString()}</span> : null}
      </Link>
      <VisuallyHidden role="status" aria-label="New alarms">
        {words}
      </VisuallyHidden>
    </>
  );
}

/** The Alarms tab of the phone's bottom bar, with the number of unacknowledged alarms. */
export function AlarmTab() {
  const allowed = can(useActor(), 'alarm.read');
  const pathname = useLocation({ select: (location) => location.pathname });
  const { data } = useOpenAlarms();
  if (!allowed) {
    return null;
  }
  const waiting = data?.unacknowledged ?? 0;
  return (
    <Link
      className={`${tabBar.tab} ${classes.tab}`}
      to="/dashboard/alarms"
      data-here={pathname.startsWith('/dashboard/alarms') || undefined}
    >
      <TbBell size={20} strokeWidth={1.75} aria-hidden />
      Alarms
      {waiting > 0 ? (
        <span className={classes.pip}>
          {waiting > 99 ? '99+' : waiting}
          <VisuallyHidden> not acknowledged</VisuallyHidden>
        </span>
      ) : null}
    </Link>
  );
}

/** Shows the number of unacknowledged alarms in the tab's title and on the icon of the installed app. */
function useBadges(waiting: number): void {
  useEffect(() => {
    titleCount.set(waiting);
    void navigator.setAppBadge?.(waiting).catch(() => undefined);
  }, [waiting]);
  useEffect(
    () => () => {
      titleCount.set(0);
      void navigator.clearAppBadge?.().catch(() => undefined);
    },
    [],
  );
}

/** Shows the alarm favicon while an alarm is unacknowledged. */
function useAlarmFavicon(waiting: boolean): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link === null || !waiting) {
      return;
    }
    const usual = link.href;
    link.href = '/favicon-alarm.svg';
    return () => {
      link.href = usual;
    };
  }, [waiting]);
}
