import { type RefObject, useEffect, useState } from 'react';

export interface FullScreen {
  on: boolean;
  /** Height in pixels that is available for the chart. */
  height: number;
  toggle: () => void;
}

const AROUND = 190;
const LEAST = 240;

/**
 * Shows an element in full screen. The whole document enters full-screen mode, so that menus and messages stay on top.
 * If the browser has no full-screen mode, as on some phones, the element covers the page instead.
 */
export function useFullScreen(part: RefObject<HTMLElement | null>): FullScreen {
  const [on, setOn] = useState(false);
  const [height, setHeight] = useState(LEAST);
  useEffect(() => {
    if (!on) return;
    const measure = () => setHeight(Math.max(LEAST, window.innerHeight - AROUND));
    const left = () => {
      if (document.fullscreenElement === null) setOn(false);
    };
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) setOn(false);
    };
    measure();
    window.addEventListener('resize', measure);
    document.addEventListener('fullscreenchange', left);
    document.addEventListener('keydown', press);
    return () => {
      window.removeEventListener('resize', measure);
      document.removeEventListener('fullscreenchange', left);
      document.removeEventListener('keydown', press);
      if (document.fullscreenElement !== null) void document.exitFullscreen();
    };
  }, [on]);
  return {
    on,
    height,
    toggle: () => {
      if (!on) document.documentElement.requestFullscreen?.().catch(() => {});
      setOn(!on);
      part.current?.scrollIntoView({ block: 'nearest' });
    },
  };
}
