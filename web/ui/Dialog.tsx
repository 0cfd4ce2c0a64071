import { ActionIcon, Drawer, Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { TbX } from 'react-icons/tb';
import classes from './Dialog.module.css';
import { useOverlay } from './useOverlay.ts';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  /** Name for a screen reader. */
  label: string;
  /** Content of the first line, before the close button. */
  head?: ReactNode;
  /** An error message. It floats above the dialog, so that no content moves under the pointer. */
  notice?: ReactNode;
  children: ReactNode;
}

/** A modal dialog: centred on a desktop, at the bottom on a phone. */
export function Dialog({ opened, onClose, label, head, notice, children }: DialogProps) {
  const phone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  if (!useOverlay(opened)) return null;
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
