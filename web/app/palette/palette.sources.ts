import { alarmSource, assetSource, configuredSource, siteSource } from './palette.queries.ts';
import type { PaletteSource } from './palette-entry.ts';

/** Search sources in display order. The palette lists the console's pages before their results. */
export const paletteSources: readonly PaletteSource[] = [siteSource, assetSource, alarmSource, configuredSource];

export function paletteHint(): string {
  return `Go to ${[...paletteSources.flatMap((source) => source.noun ?? []), 'page'].join(', ')}`;
}
