import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { can } from '../../../../domain/permission.ts';
import { useActor } from '../../../kit/session/actor.ts';
import classes from './DashboardTabs.module.css';
import { useOpenAlarms } from './useOpenAlarms.ts';

/** Tab bar of the dashboard pages. `children` are the controls of the current page, shown at the end of the bar. */
export function DashboardTabs({ children }: { children?: ReactNode }) {
  const { data } = useOpenAlarms();
  const mayReadAlarms = can(useActor(), 'alarm.read');
  return (
    <div className={classes.bar}>
      <nav className={classes.tabs} aria-label="Dashboard">
        <Link to="/dashboard" activeOptions={{ exact: true, includeSearch: false }} activeProps={here}>
          Overview
        </Link>
        <Link to="/dashboard/alarms" activeOptions={{ includeSearch: false }} activeProps={here}>
          Alarms {data ? <span className={classes.count}>{data.open.toLocaleString()}</span> : null}
        </Link>
        {mayReadAlarms ? (
          <Link to="/dashboard/my-work" activeOptions={{ includeSearch: false }} activeProps={here}>
            My work
          </Link>
        ) : null}
      </nav>
      <div className={classes.end}>{children}</div>
    </div>
  );
}

const here = { 'data-here': true, 'aria-current': 'page' } as const;
