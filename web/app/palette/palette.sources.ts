import { alarmSource, assetSource, configuredSource, siteSource } from './palette.queries.ts';
import type { PaletteSource } from './palette-entry.ts';

/** In display order, after the console's pages. */
export const paletteSources: readonly PaletteSource[] = [siteSource, assetSource, alarmSource, configuredSource];

export function paletteHint(): string {
  return `Go to ${[...paletteSources.flatMap((source) => source.noun ?? []), 'page'].join(', ')}`;
}
