import { useCallback, useState } from 'react';
import { can } from '../../../domain/permission.ts';
import { useActor } from '../auth/actor.ts';
import type { AlarmRow } from './alarm.queries.ts';
import { acknowledgementOf } from './alarm.ts';

export type Handle = (what: 'acknowledge' | 'resolve', alarms: readonly AlarmRow[]) => void;

/** Which alarms of the page are chosen, and what can be done with them. */
export interface Choosing {
  /** Whether this person may handle alarms at all. */
  allowed: boolean;
  chosen: readonly AlarmRow[];
  all: boolean;
  has: (uuid: string) => boolean;
  toggle: (uuid: string) => void;
  toggleAll: () => void;
  clear: () => void;
  /** Those of the given alarms that somebody can still acknowledge, or resolve. */
  acknowledgeable: (alarms: readonly AlarmRow[]) => readonly AlarmRow[];
  resolvable: (alarms: readonly AlarmRow[]) => readonly AlarmRow[];
  handle: Handle;
  /** Whether the key does something to rows. */
  means: (key: string) => boolean;
  press: (key: string, row: AlarmRow | undefined) => void;
}

/** An alarm that leaves the page leaves the choice: nothing is handled that is not in sight. */
export function useChoosing(rows: readonly AlarmRow[], handle: Handle): Choosing {
  const actor = useActor();
  const mayAcknowledge = can(actor, 'alarm.acknowledge');
  const mayResolve = can(actor, 'alarm.resolve');
  const [uuids, setUuids] = useState<ReadonlySet<string>>(new Set());
  const chosen = rows.filter(({ uuid }) => uuids.has(uuid));
  const all = rows.length > 0 && chosen.length === rows.length;
  // The same function each time, so that choosing one row draws one row.
  const toggle = useCallback((uuid: string) => {
    setUuids((before) => {
      const next = new Set(before);
      if (!next.delete(uuid)) {
        next.add(uuid);
      }
      return next;
    });
  }, []);
  const acknowledgeable = (alarms: readonly AlarmRow[]) =>
    mayAcknowledge ? alarms.filter(({ acknowledgeJson }) => acknowledgementOf(acknowledgeJson) === null) : [];
  const resolvable = (alarms: readonly AlarmRow[]) =>
    mayResolve ? alarms.filter(({ resolvedDate }) => resolvedDate === null) : [];
  const allowed = mayAcknowledge || mayResolve;
  return {
    allowed,
    chosen,
    all,
    has: (uuid) => uuids.has(uuid),
    toggle,
    toggleAll: () => setUuids(all ? new Set() : new Set(rows.map(({ uuid }) => uuid))),
    clear: () => setUuids(new Set()),
    acknowledgeable,
    resolvable,
    handle,
    means: (key) => allowed && (key === 'x' || key === 'a' || key === 'r'),
    press(key, row) {
      if (!allowed || row === undefined) {
        return;
      }
      if (key === 'x') {
        toggle(row.uuid);
        return;
      }
      const meant = chosen.length > 0 ? chosen : [row];
      const able = key === 'a' ? acknowledgeable(meant) : key === 'r' ? resolvable(meant) : [];
      if (able.length > 0) {
        handle(key === 'a' ? 'acknowledge' : 'resolve', able);
      }
    },
  };
}
