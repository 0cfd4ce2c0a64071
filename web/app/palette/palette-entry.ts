import type { IconType } from 'react-icons';
import type { State } from '../../ui/StateMark.tsx';

export interface PaletteEntry {
  id: string;
  label: string;
  /** Kind of the record, followed by its site if it has one: 'Site', 'Sensor, Kelder Road PS'. */
  note: string;
  /** Path of the page that the entry opens. */
  href: string;
  icon: IconType;
  state?: { state: State; acknowledged: boolean };
}

/** Searches entries on the server. Called when typing pauses; the signal aborts an outdated search. */
export interface PaletteSource {
  /**
   * Noun for the palette's placeholder, such as 'site'. Most sources have none, because the placeholder must be short.
   */
  noun?: string;
  find: (text: string, signal: AbortSignal) => Promise<readonly PaletteEntry[]>;
}
