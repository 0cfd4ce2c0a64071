import { useMemo } from 'react';
import { levelWords, UNIT_OFFICE } from '../../../domain/group-level.ts';
import type { Columns } from '../../ui/table/columns.ts';
import { useUser } from './session.ts';

/** Returns the customer's names for unit offices. */
export function useOfficeWords() {
  return levelWords(UNIT_OFFICE, useUser().tocsin_customer);
}

/** Returns the columns. The title of the column `office` becomes the customer's name for unit offices. */
export function useOfficeColumn<T extends object>(columns: Columns<T>): Columns<T> {
  const { title } = useOfficeWords();
  return useMemo(
    () => columns.map((column) => (column.id === 'office' ? { ...column, header: title } : column)) as Columns<T>,
    [columns, title],
  );
}
