import { Button, Popover } from '@mantine/core';
import type { ReactNode } from 'react';
import { TbAdjustmentsHorizontal } from 'react-icons/tb';
import classes from './MoreFilters.module.css';

interface MoreFiltersProps {
  /** Number of active filters in the popover. */
  count: number;
  /** The filters, one per line. */
  children: ReactNode;
  /** Content shown below the filters. */
  foot?: ReactNode;
}

/** A button that opens the rarely used filters and shows how many of them are active. */
export function MoreFilters({ count, children, foot }: MoreFiltersProps) {
  return (
    <Popover position="bottom-end" offset={6} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          aria-label={count > 0 ? `Filters ${count}` : 'Filters'}
          data-active={count > 0 || undefined}
          className={classes.more}
          leftSection={<TbAdjustmentsHorizontal size={16} strokeWidth={1.75} aria-hidden />}
        >
          <span className={classes.words}>Filters</span> {count > 0 ? <b>{count}</b> : null}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel} aria-label="Filters">
        <div className={classes.fields}>{children}</div>
        {foot}
      </Popover.Dropdown>
    </Popover>
  );
}
