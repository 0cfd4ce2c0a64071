import type { IconType } from 'react-icons';
import type { State } from '../../ui/StateMark.tsx';

/** One line of the palette. */
export interface PaletteEntry {
  id: string;
  label: string;
  /** What it is and where: 'Site', 'Sensor, Kelder Road PS'. */
  note: string;
  /** A path of the console. */
  href: string;
  icon: IconType;
  state?: { state: State; acknowledged: boolean };
}

/** Something that finds entries on the server. It is asked when the typing pauses; the signal ends an answer nobody waits for. */
export interface PaletteSource {
  /** The noun in the palette's hint: 'site', 'asset'. The hint has room for few. */
  noun?: string;
  find: (text: string, signal: AbortSignal) => Promise<readonly PaletteEntry[]>;
}
