import { useEffect, useRef } from 'react';

/**
 * Returns the uuids of the rows that were not in the previous list. `list` identifies filter and page. After a change
 * of `list`, no row counts as new.
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
