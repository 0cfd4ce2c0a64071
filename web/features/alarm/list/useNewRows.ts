import { useEffect, useRef } from 'react';

/**
 * Returns the uuids of rows that were not in the list at the last render. `list` identifies filter and page; when it
 * changes, no row counts as new.
 */
export function useNewRows(rows: readonly { uuid: string }[] | undefined, list: string): ReadonlySet<string> {
  const seen = useRef<{ list: string; uuids: ReadonlySet<string> } | undefined>(undefined);
  const known = seen.current?.list === list ? seen.current.uuids : undefined;
  const newUuids = new Set(known && rows?.flatMap(({ uuid }) => (known.has(uuid) ? [] : uuid)));
  useEffect(() => {
    if (rows !== undefined) {
      seen.current = { list, uuids: new Set(rows.map(({ uuid }) => uuid)) };
    }
  }, [rows, list]);
  return newUuids;
}
