import { ActionIcon, Drawer, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useLayoutEffect } from 'react';
import { TbX } from 'react-icons/tb';
import classes from './Dialog.module.css';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  /** The name of the dialog for a screen reader. */
  label: string;
  /** What stands in the first line, before the button that closes. */
  head?: ReactNode;
  /** What went wrong meanwhile. It floats above, so that nothing in the dialog moves under a pointer. */
  notice?: ReactNode;
  children: ReactNode;
}

/** One task over the page: in the middle of a desk, at the bottom of a phone where the thumb is. */
export function Dialog({ opened, onClose, label, head, notice, children }: DialogProps) {
  const phone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  useFocusReturn(opened);
  const inside = opened ? (
    <>
      <div className={classes.head}>
        <div className={classes.lead}>{head}</div>
        <ActionIcon variant="subtle" aria-label="Close" onClick={onClose}>
          <TbX size={16} strokeWidth={1.75} aria-hidden />
        </ActionIcon>
      </div>
      <div className={classes.body}>{children}</div>
    </>
  ) : null;
  const above = opened && notice ? <div className={classes.notice}>{notice}</div> : null;
  if (phone) {
    return (
      <Drawer.Root opened={opened} onClose={onClose} position="bottom" size="auto" padding={0}>
        <Drawer.Overlay />
        <Drawer.Content className={classes.sheet} aria-label={label}>
          {inside}
        </Drawer.Content>
        {above}
      </Drawer.Root>
    );
  }
  return (
    <Modal.Root opened={opened} onClose={onClose} centered size={440} padding={0}>
      <Modal.Overlay />
      <Modal.Content aria-label={label}>{inside}</Modal.Content>
      {above}
    </Modal.Root>
  );
}

/** Mantine gives the focus back only where a dialog stood closed before it opened; many are made as they open. */
function useFocusReturn(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return;
    const before = document.activeElement;
    return () =>
      queueMicrotask(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement && before.isConnected) {
          before.focus({ preventScroll: true });
        }
      });
  }, [opened]);
}
