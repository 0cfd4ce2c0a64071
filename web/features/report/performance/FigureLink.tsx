import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ReportView } from '../useReportView.ts';
import classes from './Performance.module.css';

/** URL parameters of the alarm report that select the alarms counted in a figure. */
export interface FigureAlarms {
  only?: string;
  cause?: string;
  severity?: string;
  rule?: string;
  recipient?: string;
  site?: string;
  office?: string;
  between?: string;
}

interface FigureLinkProps {
  report: ReportView;
  alarms?: FigureAlarms;
  /** Accessible name for screen readers, because a number alone has no meaning. */
  label: string;
  strong?: boolean;
  children: ReactNode;
}

/** Shows a figure as a link to its alarms, with the range and the filters of the report. */
export function FigureLink({ report, alarms = {}, label, strong = false, children }: FigureLinkProps) {
  const { range, from, to, office, site, rule, recipient } = report.view.filters;
  return (
    <Link
      className={classes.fig}
      data-strong={strong || undefined}
      to="/reports/alarms"
      search={{ range, from, to, office, site, rule, recipient, ...alarms }}
      aria-label={label}
    >
      {children}
    </Link>
  );
}
