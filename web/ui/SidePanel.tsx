import { ActionIcon } from '@mantine/core';
import { type ReactNode, type Ref, useEffect, useState } from 'react';
import { TbX } from 'react-icons/tb';
import { hasListOpen } from './page-keys.ts';
import classes from './SidePanel.module.css';

interface PanelFrameProps {
  /** Name for a screen reader. */
  title: string;
  ref?: Ref<HTMLElement>;
  onEscape?: () => void;
  children: ReactNode;
}

/** The frame of a panel next to a table. On a phone it fills the window. */
export function PanelFrame({ title, ref, onEscape, children }: PanelFrameProps) {
  useGoingBack();
  return (
    <aside
      ref={ref}
      className={classes.panel}
      data-panel
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented && !hasListOpen(event.target)) onEscape?.();
      }}
    >
      {children}
    </aside>
  );
}

/** Returns the focus to the element that had it before the panel opened. */
function useGoingBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Waits until the panel is removed. Does nothing if a different element already has the focus.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) {
          before.focus({ preventScroll: true });
        }
      });
    },
    [before],
  );
}

export function PanelHead({ title, onClose }: { title: string; onClose: () => void }) {
  return (
    <div className={classes.head}>
      <h2>{title}</h2>
      <ActionIcon variant="subtle" aria-label="Close" onClick={onClose}>
        <TbX size={16} strokeWidth={1.75} aria-hidden />
      </ActionIcon>
    </div>
  );
}

export function PanelBody({ children }: { children: ReactNode }) {
  return <div className={classes.body}>{children}</div>;
}

interface SidePanelProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A panel without a form. It has nothing to save, so it closes without a confirmation. */
export function SidePanel({ title, onClose, children }: SidePanelProps) {
  return (
    <PanelFrame title={title} onEscape={onClose}>
      <PanelHead title={title} onClose={onClose} />
      <PanelBody>{children}</PanelBody>
    </PanelFrame>
  );
}
