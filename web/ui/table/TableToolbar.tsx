import { Button, Checkbox, Popover } from '@mantine/core';
import type { ReactNode } from 'react';
import { TbColumns3 } from 'react-icons/tb';
import { EmptyState } from '../Notice.tsx';
import { SearchField } from '../SearchField.tsx';
import { columnName, type DataTableInstance } from './columns.ts';
import { DensityChoice } from './DensityChoice.tsx';
import { isNarrowed, type ListView, narrowing, pageRange, widened, withSearch } from './list-view.ts';
import classes from './TableToolbar.module.css';

interface TableToolbarProps<T extends object> {
  table: DataTableInstance<T>;
  view: ListView;
  onViewChange: (next: ListView) => void;
  searchHint: string | undefined;
  filters: ReactNode;
}

export function TableToolbar<T extends object>({
  table,
  view,
  onViewChange,
  searchHint,
  filters,
}: TableToolbarProps<T>) {
  return (
    <div className={classes.toolbar}>
      {searchHint ? (
        <SearchField
          className={classes.search}
          hint={searchHint}
          value={view.search}
          onChange={(text) => onViewChange(withSearch(view, text))}
        />
      ) : null}
      {filters}
      <div className={classes.looks}>
        <DensityChoice />
        <ColumnChoice table={table} />
      </div>
    </div>
  );
}

function ColumnChoice<T extends object>({ table }: { table: DataTableInstance<T> }) {
  const columns = table.getAllLeafColumns().filter((column) => column.getCanHide());
  if (columns.length === 0) {
    return null;
  }
  return (
    <Popover position="bottom-end" offset={6} trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          className={classes.columns}
          leftSection={<TbColumns3 size={14} strokeWidth={1.75} aria-hidden />}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.columnList} aria-label="Columns">
        {columns.map((column) => (
          <Checkbox
            key={column.id}
            label={columnName(column.columnDef.header, column.id)}
            checked={column.getIsVisible()}
            onChange={(event) => column.toggleVisibility(event.currentTarget.checked)}
          />
        ))}
      </Popover.Dropdown>
    </Popover>
  );
}

interface NoMatchProps {
  view: ListView;
  /**
   * Number of rows on all pages. It is above 0 if the list is empty only because the page in the URL is beyond the last
   * page.
   */
  total: number;
  onViewChange: (next: ListView) => void;
  standing: readonly string[] | undefined;
  otherwise: ReactNode;
}

/** Tells the user whether the search or a filter emptied the list, and offers to clear it. */
export function NoMatch({ view, total, onViewChange, standing, otherwise }: NoMatchProps) {
  if (total > 0) {
    const last = pageRange(view, total).pages;
    return (
      <EmptyState
        title={`There is no page ${view.page.toLocaleString()}`}
        action={
          <Button variant="default" size="xs" onClick={() => onViewChange({ ...view, page: last })}>
            Go to the last page
          </Button>
        }
      >
        {last === 1 ? 'The list has one page.' : `The list has ${last.toLocaleString()} pages.`}
      </EmptyState>
    );
  }
  if (!isNarrowed(view, standing)) {
    return otherwise;
  }
  const filters = narrowing(view, standing).length;

  return (
    <EmptyState
      title={view.search ? `No matches for “${view.search}”` : 'No matches for these filters'}
      action={
        <Button variant="default" size="xs" onClick={() => onViewChange(widened(view, standing))}>
          {view.search && filters > 0 ? 'Clear search and filters' : view.search ? 'Clear search' : 'Clear filters'}
        </Button>
      }
    >
      {view.search && filters > 0
        ? `The search and ${filters === 1 ? '1 filter' : `${filters} filters`} hide all rows.`
        : view.search
          ? 'Check the spelling, or search for fewer words.'
          : 'Remove a filter to see more.'}
    </EmptyState>
  );
}
