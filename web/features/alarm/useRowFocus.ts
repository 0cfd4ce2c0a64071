import { type FocusEvent, useLayoutEffect, useRef, useState } from 'react';

/**
 * Which row is in the tab order, by the alarm and not by its place: while somebody reads, others come in above. The focus
 * stays with its alarm when that goes to another group, stays in its place when the alarm leaves the list, and comes back
 * to the open one when the list does.
 */
export function useRowFocus(uuids: readonly string[], openId: string | undefined) {
  const table = useRef<HTMLTableElement>(null);
  const [last, setLast] = useState(openId);
  const held = useRef(openId === undefined ? null : { uuid: openId, index: 0 });
  const known = [last, openId].find((uuid) => uuid !== undefined && uuids.includes(uuid));
  const inTabOrder = known ?? uuids[0];
  const focusRow = (index: number) => table.current?.querySelectorAll<HTMLElement>('tr[data-alarm]')[index]?.focus();

  useLayoutEffect(() => {
    const active = document.activeElement;
    if (held.current === null || uuids.length === 0 || table.current?.contains(active)) {
      return;
    }
    // A row that is taken away leaves the focus to the whole page.
    if (active?.contains(table.current)) {
      const index = uuids.indexOf(held.current.uuid);
      focusRow(index >= 0 ? index : Math.min(held.current.index, uuids.length - 1));
    } else if (!isInDialog(active)) {
      held.current = null;
    }
  });

  return {
    table,
    inTabOrder,
    /** Whether anybody has been in the list yet: the first row is in the tab order also where not. */
    isEntered: known !== undefined,
    focusRow,
    rowEvents: (uuid: string, index: number) => ({
      onFocus() {
        held.current = { uuid, index };
        setLast(uuid);
      },
      onBlur({ relatedTarget }: FocusEvent) {
        // A dialog gives the focus back.
        if (!isInDialog(relatedTarget)) {
          held.current = null;
        }
      },
    }),
  };
}

export function isInDialog(element: EventTarget | null): boolean {
  return element instanceof Element && element.closest('[role="dialog"]') !== null;
}
