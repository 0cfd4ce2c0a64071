import { Tooltip, type TooltipProps } from '@mantine/core';
import { cloneElement, type PointerEvent, type ReactElement, type ReactNode, useEffect, useState } from 'react';

interface Hovered {
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  onPointerLeave?: () => void;
}

interface LightTooltipProps {
  /** Returns the content. Called only while the tooltip is open. */
  label: () => ReactNode;
  position?: TooltipProps['position'];
  disabled?: boolean;
  /** An HTML element, or a component that passes pointer events on to an HTML element. */
  children: ReactElement<Hovered>;
}

/**
 * A tooltip for elements of which a page renders hundreds. The tooltip is mounted only while the mouse is over its
 * element. Mantine's tooltip renders twice even while closed, which takes longer than rendering the row around it.
 */
export function LightTooltip({ label, position = 'top', disabled = false, children }: LightTooltipProps) {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const close = () => setTarget(null);
  useEffect(() => {
    if (!target) return;
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setTarget(null);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [target]);
  return (
    <>
      {cloneElement(children, {
        onPointerEnter: ({ pointerType, currentTarget }) => {
          if (pointerType === 'mouse' && !disabled) setTarget(currentTarget);
        },
        onPointerLeave: close,
      })}
      {target && !disabled ? <Tooltip target={target} opened position={position} label={label()} /> : null}
    </>
  );
}
