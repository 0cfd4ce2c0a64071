import { useCallback, useState } from 'react';
import { can } from '../../../../domain/permission.ts';
import { acknowledgementOf } from '../../../kit/format/alarm.ts';
import { useActor } from '../../../kit/session/actor.ts';
import type { AlarmRow } from '../alarm.queries.ts';

export type Handle = (
  what: 'acknowledge' | 'resolve',
  alarms: readonly AlarmRow[],
  /** Called once the dialog was carried through. */
  onDone?: () => void,
) => void;

/** Which alarms of the page are chosen, and what can be done with them. */
export interface AlarmSelection {
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
  /** Whether the keys for it mean the chosen ones: some of them can still be handled so. */
  taken: Record<'acknowledge' | 'resolve', boolean>;
  /** For alarms of their own, whatever is chosen. */
  handle: Handle;
  /** For the chosen ones; once that is carried through, nothing is chosen any more. */
  handleChosen: (what: 'acknowledge' | 'resolve') => void;
  /** Whether the key does something to rows. */
  means: (key: string) => boolean;
  press: (key: string, row: AlarmRow | undefined) => void;
}

/** An alarm that leaves the page leaves the choice: nothing is handled that is not in sight. */
export function useAlarmSelection(
  rows: readonly AlarmRow[],
  handle: Handle,
  onChosenDone?: () => void,
): AlarmSelection {
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
  const ableTo = { acknowledge: acknowledgeable, resolve: resolvable };
  const allowed = mayAcknowledge || mayResolve;
  const taken = { acknowledge: acknowledgeable(chosen).length > 0, resolve: resolvable(chosen).length > 0 };
  const clear = () => setUuids(new Set());
  const handleChosen = (what: 'acknowledge' | 'resolve') =>
    handle(what, ableTo[what](chosen), () => {
      clear();
      onChosenDone?.();
    });
  return {
    allowed,
    chosen,
    all,
    has: (uuid) => uuids.has(uuid),
    toggle,
    toggleAll: () => setUuids(all ? new Set() : new Set(rows.map(({ uuid }) => uuid))),
    clear,
    acknowledgeable,
    resolvable,
    taken,
    handle,
    handleChosen,
    means: (key) => allowed && (key === 'x' || key === 'a' || key === 'r'),
    press(key, row) {
      if (!allowed || row === undefined) {
        return;
      }
      if (key === 'x') {
        toggle(row.uuid);
        return;
      }
      const what = key === 'a' ? 'acknowledge' : 'resolve';
      const able = ableTo[what]([row]);
      if (taken[what]) {
        handleChosen(what);
      } else if (able.length > 0) {
        // Nothing is chosen, or nothing that this can be done to.
        handle(what, able);
      }
    },
  };
}
