import { ActionIcon, FocusTrap } from '@mantine/core';
import type { ReactNode } from 'react';
import { TbX } from 'react-icons/tb';
import { useOverlay } from '../../../ui/useOverlay.ts';
import classes from './PaneDialog.module.css';

interface PaneDialogProps {
  onClose: () => void;
  /** Title of the dialog, also used as its accessible name. */
  label: string;
  children: ReactNode;
}

/**
 * Dialog that covers only the panel that contains it, below the panel's title, so that the list beside the panel stays
 * readable and usable. The panel needs `position: relative`.
 */
export function PaneDialog({ onClose, label, children }: PaneDialogProps) {
  useOverlay(true);
  return (
    <div className={classes.scrim}>
      <FocusTrap>
        <section
          className={classes.dialog}
          role="dialog"
          aria-label={label}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onClose();
          }}
        >
          <div className={classes.head}>
            <h2>{label}</h2>
            <ActionIcon variant="subtle" aria-label="Close" onClick={onClose}>
              <TbX size={16} strokeWidth={1.75} aria-hidden />
            </ActionIcon>
          </div>
          {children}
        </section>
      </FocusTrap>
    </div>
  );
}
