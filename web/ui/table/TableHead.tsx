import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import type { ColumnLook, DataTableInstance } from './columns.ts';
import classes from './DataTable.module.css';

const direction = { asc: 'ascending', desc: 'descending' } as const;

function widthsOf(look: ColumnLook | undefined): CSSProperties | undefined {
  const wide = look?.width && { '--wide': `${look.width}px` };
  const narrow = look?.narrow && { '--narrow': `${look.narrow}px` };
  return wide || narrow ? ({ ...wide, ...narrow } as CSSProperties) : undefined;
}

/** The head: each column that can be ordered is a button. */
export function TableHead<T extends object>({
  table,
  leading,
}: {
  table: DataTableInstance<T>;
  leading: readonly ReactNode[];
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
            const Arrow = sorted === 'desc' ? IconArrowDown : IconArrowUp;
            return (
              <th
                key={header.id}
                scope="col"
                style={widthsOf(look)}
                data-align={look?.align}
                data-wide-only={look?.wideOnly || undefined}
                data-roomy-only={look?.roomyOnly || undefined}
                aria-sort={sorted ? direction[sorted] : canSort ? 'none' : undefined}
              >
                {canSort ? (
                  <button type="button" className={classes.sort} onClick={column.getToggleSortingHandler()}>
                    <table.FlexRender header={header} />
                    {sorted ? <Arrow size={14} stroke={1.75} aria-hidden /> : null}
                  </button>
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
