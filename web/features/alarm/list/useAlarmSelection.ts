import { useCallback, useState } from 'react';
import { can } from '../../../../domain/permission.ts';
import { acknowledgementOf } from '../../../kit/format/alarm.ts';
import { useActor } from '../../../kit/session/actor.ts';
import type { AlarmRow } from '../alarm.queries.ts';

export type Handle = (
  what: 'acknowledge' | 'resolve',
  alarms: readonly AlarmRow[],
  /** Called after the dialog was completed. */
  onDone?: () => void,
) => void;

/** The selected alarms of the page, and the actions on them. */
export interface AlarmSelection {
  /** True if this user may acknowledge or resolve alarms. */
  allowed: boolean;
  selected: readonly AlarmRow[];
  all: boolean;
  has: (uuid: string) => boolean;
  toggle: (uuid: string) => void;
  toggleAll: () => void;
  clear: () => void;
  /** Returns those of the given alarms that this user can still acknowledge. */
  acknowledgeable: (alarms: readonly AlarmRow[]) => readonly AlarmRow[];
  /** Returns those of the given alarms that this user can still resolve. */
  resolvable: (alarms: readonly AlarmRow[]) => readonly AlarmRow[];
  /** True if the action's shortcut applies to the selected alarms, because it is possible for some of them. */
  keysUseSelection: Record<'acknowledge' | 'resolve', boolean>;
  /** Acts on the given alarms, not on the selection. */
  handle: Handle;
  /** Acts on the selected alarms and clears the selection afterwards. */
  handleSelected: (what: 'acknowledge' | 'resolve') => void;
  /** True if the key is a shortcut for rows: x, a or r. */
  isRowKey: (key: string) => boolean;
  pressKey: (key: string, row: AlarmRow | undefined) => void;
}

/** An alarm that leaves the page leaves the selection: no action applies to alarms that are not visible. */
export function useAlarmSelection(
  rows: readonly AlarmRow[],
  handle: Handle,
  onSelectedDone?: () => void,
): AlarmSelection {
  const actor = useActor();
  const mayAcknowledge = can(actor, 'alarm.acknowledge');
  const mayResolve = can(actor, 'alarm.resolve');
  const [uuids, setUuids] = useState<ReadonlySet<string>>(new Set());
  const selected = rows.filter(({ uuid }) => uuids.has(uuid));
  const all = rows.length > 0 && selected.length === rows.length;
  // A stable function, so that selecting one row renders only that row.
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
  const possibleFor = { acknowledge: acknowledgeable, resolve: resolvable };
  const allowed = mayAcknowledge || mayResolve;
  const keysUseSelection = {
    acknowledge: acknowledgeable(selected).length > 0,
    resolve: resolvable(selected).length > 0,
  };
  const clear = () => setUuids(new Set());
  const handleSelected = (what: 'acknowledge' | 'resolve') =>
    handle(what, possibleFor[what](selected), () => {
      clear();
      onSelectedDone?.();
    });
  return {
    allowed,
    selected,
    all,
    has: (uuid) => uuids.has(uuid),
    toggle,
    toggleAll: () => setUuids(all ? new Set() : new Set(rows.map(({ uuid }) => uuid))),
    clear,
    acknowledgeable,
    resolvable,
    keysUseSelection,
    handle,
    handleSelected,
    isRowKey: (key) => allowed && (key === 'x' || key === 'a' || key === 'r'),
    pressKey(key, row) {
      if (!allowed || row === undefined) {
        return;
      }
      if (key === 'x') {
        toggle(row.uuid);
        return;
      }
      const what = key === 'a' ? 'acknowledge' : 'resolve';
      const able = possibleFor[what]([row]);
      if (keysUseSelection[what]) {
        handleSelected(what);
      } else if (able.length > 0) {
        // The action is possible for none of the selected alarms.
        handle(what, able);
      }
    },
  };
}
