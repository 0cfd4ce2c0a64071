import type { CSSProperties, ReactNode } from 'react';
import type { ColumnLook, DataTableInstance } from './columns.ts';
import classes from './DataTable.module.css';
import { ariaSort, SortButton } from './SortHead.tsx';

function widthsOf(look: ColumnLook | undefined): CSSProperties | undefined {
  const wide = look?.width && { '--wide': `${look.width}px` };
  const narrow = look?.narrow && { '--narrow': `${look.narrow}px` };
  return wide || narrow ? ({ ...wide, ...narrow } as CSSProperties) : undefined;
}

export function TableHead<T extends object>({
  table,
  leading,
  folded,
}: {
  table: DataTableInstance<T>;
  leading: readonly ReactNode[];
  /** Ids of the columns that are hidden because they do not fit. */
  folded: ReadonlySet<string>;
}) {
  return (
    <thead>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {leading.map((cell, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the leading cells never change places.
            <th key={index} className={classes.check} scope="col">
              {cell}
            </th>
          ))}
          {group.headers.map((header) => {
            const { column } = header;
            const look = column.columnDef.meta;
            const sorted = column.getIsSorted();
            const canSort = column.getCanSort();
            return (
              <th
                key={header.id}
                scope="col"
                style={widthsOf(look)}
                data-align={look?.align}
                data-wide-only={look?.wideOnly || undefined}
                data-roomy-only={look?.roomyOnly || undefined}
                data-folded={folded.has(column.id) || undefined}
                aria-sort={sorted || canSort ? ariaSort(sorted) : undefined}
              >
                {canSort ? (
                  <SortButton sorted={sorted} onClick={column.getToggleSortingHandler()}>
                    <table.FlexRender header={header} />
                  </SortButton>
                ) : (
                  <table.FlexRender header={header} />
                )}
              </th>
            );
          })}
        </tr>
      ))}
    </thead>
  );
}
