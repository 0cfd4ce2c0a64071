import { type FocusEvent, useLayoutEffect, useRef, useState } from 'react';

/**
 * Manages the roving tab index of the alarm table. The focus follows the alarm instead of the row number, because new
 * alarms are inserted above, and alarms move between groups. If the alarm leaves the list, the next row receives the
 * focus. When the user returns to the list, the open alarm receives the focus.
 */
export function useRowFocus(uuids: readonly string[], openId: string | undefined) {
  const table = useRef<HTMLTableElement>(null);
  const [last, setLast] = useState(openId);
  const lastFocus = useRef(openId === undefined ? null : { uuid: openId, index: 0 });
  const remembered = [last, openId].find((uuid) => uuid !== undefined && uuids.includes(uuid));
  const inTabOrder = remembered ?? uuids[0];
  const focusRow = (index: number) => table.current?.querySelectorAll<HTMLElement>('tr[data-alarm]')[index]?.focus();

  useLayoutEffect(() => {
    const active = document.activeElement;
    if (lastFocus.current === null || uuids.length === 0 || table.current?.contains(active)) {
      return;
    }
    // When the focused row is removed, the browser moves the focus to an ancestor of the table. This check detects
    // that.
    if (active?.contains(table.current)) {
      const index = uuids.indexOf(lastFocus.current.uuid);
      focusRow(index >= 0 ? index : Math.min(lastFocus.current.index, uuids.length - 1));
    } else if (!isInDialog(active)) {
      lastFocus.current = null;
    }
  });

  return {
    table,
    inTabOrder,
    /** False until the user has focused or opened a row. Until then, the first row is in the tab order. */
    isEntered: remembered !== undefined,
    focusRow,
    rowEvents: (uuid: string, index: number) => ({
      onFocus() {
        lastFocus.current = { uuid, index };
        setLast(uuid);
      },
      onBlur({ relatedTarget }: FocusEvent) {
        // Remember the row if a dialog opens, because the dialog returns the focus to this row when it closes.
        if (!isInDialog(relatedTarget)) {
          lastFocus.current = null;
        }
      },
    }),
  };
}

export function isInDialog(element: EventTarget | null): boolean {
  return element instanceof Element && element.closest('[role="dialog"]') !== null;
}
