import { useEffect, useRef } from 'react';

/**
 * Those of the rows that were not in the list when it was last drawn. Another list, by another filter or page, starts
 * without any: what it shows is not new, only newly looked at.
 */
export function useNewRows(rows: readonly { uuid: string }[] | undefined, list: string): ReadonlySet<string> {
  const seen = useRef<{ list: string; uuids: ReadonlySet<string> } | undefined>(undefined);
  const known = seen.current?.list === list ? seen.current.uuids : undefined;
  const newcomers = new Set(known && rows?.flatMap(({ uuid }) => (known.has(uuid) ? [] : uuid)));
  useEffect(() => {
    if (rows !== undefined) {
      seen.current = { list, uuids: new Set(rows.map(({ uuid }) => uuid)) };
    }
  }, [rows, list]);
  return newcomers;
}
