import { IconBell } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { can } from '../../../domain/permission.ts';
import { useActor } from '../auth/actor.ts';
import tabBar from '../shell/TabBar.module.css';
import classes from './AlarmBell.module.css';
import { useOpenAlarms } from './useOpenAlarms.ts';

/** The bell in the header with the number of open alarms. It also keeps the tab's icon true to them. */
export function AlarmBell() {
  const allowed = can(useActor(), 'alarm.read');
  const { data } = useOpenAlarms();
  useAlarmFavicon(allowed && (data?.unacknowledged ?? 0) > 0);
  if (!allowed) {
    return null;
  }
  return (
    <Link className={classes.bell} to="/dashboard/alarms" aria-label={label(data?.open)}>
      <IconBell size={20} stroke={1.75} aria-hidden />
      {data ? <span aria-hidden>{data.open.toLocaleString()}</span> : null}
    </Link>
  );
}

/** The way to the alarms at the bottom of a phone, with the number of those that nobody has acknowledged. */
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
      data-here={pathname === '/dashboard/alarms' || undefined}
    >
      <IconBell size={20} stroke={1.75} aria-hidden />
      Alarms
      {waiting > 0 ? (
        <span className={classes.pip}>
          {waiting > 99 ? '99+' : waiting}
          <span className={classes.hidden}> not acknowledged</span>
        </span>
      ) : null}
    </Link>
  );
}

function label(open: number | undefined): string {
  if (open === undefined) {
    return 'Alarms';
  }
  return open === 1 ? '1 open alarm' : `${open.toLocaleString()} open alarms`;
}

/** The icon of the browser's tab while an alarm waits that nobody has acknowledged. */
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
