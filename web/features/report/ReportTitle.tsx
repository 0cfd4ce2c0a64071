import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { TbChevronRight } from 'react-icons/tb';
import { PageTitle } from '../../ui/Page.tsx';
import classes from './Report.module.css';

interface ReportTitleProps {
  /** Short name of the report, last in the breadcrumb. */
  name: string;
  /** Link to the parent report. */
  within?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function ReportTitle({ name, within, actions, children }: ReportTitleProps) {
  return (
    <PageTitle
      actions={actions}
      above={
        <nav className={classes.crumb} aria-label="Breadcrumb">
          <Link to="/reports">Reports</Link>
          {within ? (
            <>
              <TbChevronRight size={14} strokeWidth={1.75} aria-hidden />
              {within}
            </>
          ) : null}
          <TbChevronRight size={14} strokeWidth={1.75} aria-hidden />
          <span aria-current="page">{name}</span>
        </nav>
      }
    >
      {children}
    </PageTitle>
  );
}
