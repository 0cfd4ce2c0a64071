import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './SidePanel.module.css';

interface SidePanelProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A panel beside a table for what is not a form: it has nothing to save, so it closes without asking. */
export function SidePanel({ title, onClose, children }: SidePanelProps) {
  return (
    <aside
      className={classes.panel}
      data-panel
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
    >
      <div className={classes.head}>
        <h2>{title}</h2>
        <ActionIcon variant="subtle" aria-label="Close" onClick={onClose}>
          <IconX size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      </div>
      <div className={classes.body}>{children}</div>
    </aside>
  );
}
