import { useCallback, useState } from 'react';
import { can } from '../../../../domain/permission.ts';
import { acknowledgementOf, isQuiet } from '../../../kit/format/alarm.ts';
import { useActor } from '../../../kit/session/actor.ts';
import type { AlarmAction } from '../acknowledge/useAlarmDialog.ts';
import type { AlarmRow } from '../alarm.queries.ts';
import { useAssignment } from '../assign/useAssignment.ts';

export type Handle = (
  what: AlarmAction,
  alarms: readonly AlarmRow[],
  /** Called when the user has completed the dialog. */
  onDone?: () => void,
) => void;

/** The selected alarms on the page, and the actions on them. */
export interface AlarmSelection {
  /** True if this user may acknowledge or resolve alarms. */
  allowed: boolean;
  selected: readonly AlarmRow[];
  all: boolean;
  has: (uuid: string) => boolean;
  toggle: (uuid: string) => void;
  toggleAll: () => void;
  clear: () => void;
  /** Returns the given alarms that this user can still acknowledge. */
  acknowledgeable: (alarms: readonly AlarmRow[]) => readonly AlarmRow[];
  /** Returns the given alarms that this user can still resolve. */
  resolvable: (alarms: readonly AlarmRow[]) => readonly AlarmRow[];
  /**
   * True for each action that is possible for at least one selected alarm. Its shortcut then applies to the selection.
   */
  keysUseSelection: Record<'acknowledge' | 'resolve', boolean>;
  /** Opens the dialog for the given alarms, regardless of the selection. */
  handle: Handle;
  /** Opens the dialog for the selected alarms and clears the selection when the dialog is completed. */
  handleSelected: (what: 'acknowledge' | 'resolve') => void;
  /** Returns true if the key is a shortcut for rows: x, a, r, s or t. */
  isRowKey: (key: string) => boolean;
  pressKey: (key: string, row: AlarmRow | undefined) => void;
}

/**
 * Manages the selection of alarms. Alarms that leave the page are no longer selected, so that no action applies to
 * hidden alarms.
 */
export function useAlarmSelection(
  rows: readonly AlarmRow[],
  handle: Handle,
  onSelectedDone?: () => void,
): AlarmSelection {
  const actor = useActor();
  const mayAcknowledge = can(actor, 'alarm.acknowledge');
  const mayResolve = can(actor, 'alarm.resolve');
  const { take } = useAssignment();
  const [uuids, setUuids] = useState<ReadonlySet<string>>(new Set());
  const selected = rows.filter(({ uuid }) => uuids.has(uuid));
  const all = rows.length > 0 && selected.length === rows.length;
  // The identity of this function must stay the same, so that selecting a row re-renders only that row.
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
    isRowKey: (key) => allowed && ['x', 'a', 'r', 's', 't'].includes(key),
    pressKey(key, row) {
      if (!allowed || row === undefined) {
        return;
      }
      if (key === 'x') {
        toggle(row.uuid);
        return;
      }
      if (key === 's') {
        if (can(actor, 'alarm.shelve') && row.resolvedDate === null && !isQuiet(row)) handle('shelve', [row]);
        return;
      }
      if (key === 't') {
        if (can(actor, 'alarm.assign') && row.resolvedDate === null) void take(row);
        return;
      }
      const what = key === 'a' ? 'acknowledge' : 'resolve';
      const able = possibleFor[what]([row]);
      if (keysUseSelection[what]) {
        handleSelected(what);
      } else if (able.length > 0) {
        // The action is not possible for any selected alarm, so it applies to the current row.
        handle(what, able);
      }
    },
  };
}
