import { type FocusEvent, useLayoutEffect, useRef, useState } from 'react';

/**
 * Manages the roving tab index of the alarm table. The focus follows the alarm, not the row number, because new alarms
 * are inserted above. If the focused alarm moves to another group, the focus moves with the alarm. If the alarm leaves
 * the list, the next row gets the focus. When the user returns to the list, the open alarm gets the focus.
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
    // When the focused row is removed, the browser moves the focus to an ancestor of the table.
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
    /** False until the user focuses or opens a row. Until then, the first row is in the tab order. */
    isEntered: remembered !== undefined,
    focusRow,
    rowEvents: (uuid: string, index: number) => ({
      onFocus() {
        lastFocus.current = { uuid, index };
        setLast(uuid);
      },
      onBlur({ relatedTarget }: FocusEvent) {
        // Keep the row if a dialog opens: the dialog returns the focus to this row when it closes.
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
