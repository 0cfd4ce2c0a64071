import type { IconType } from 'react-icons';
import type { State } from '../../ui/StateMark.tsx';

/** One line of the palette. */
export interface PaletteEntry {
  id: string;
  label: string;
  /** Kind and place: 'Site', 'Sensor, Kelder Road PS'. */
  note: string;
  /** A path of the console. */
  href: string;
  icon: IconType;
  state?: { state: State; acknowledged: boolean };
}

/** Finds entries on the server. Called when typing pauses; the signal aborts an outdated search. */
export interface PaletteSource {
  /** The noun in the palette's placeholder: 'site', 'asset'. The placeholder has room for few. */
  noun?: string;
  find: (text: string, signal: AbortSignal) => Promise<readonly PaletteEntry[]>;
}
