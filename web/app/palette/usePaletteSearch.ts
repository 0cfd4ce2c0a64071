import { useEffect, useState } from 'react';
import { paletteSources } from './palette.sources.ts';
import type { PaletteEntry } from './palette-entry.ts';

const PAUSE = 150;

const nothing = { of: '', found: [] as readonly PaletteEntry[], failed: false };

/** Searches all sources when typing pauses. If a source fails, the results from the other sources are still shown. */
export function usePaletteSearch(text: string): {
  found: readonly PaletteEntry[];
  failed: boolean;
  /** True while the results belong to an earlier text or are incomplete. */
  searching: boolean;
} {
  const [result, setResult] = useState(nothing);
  const search = text.trim();
  useEffect(() => {
    if (search === '' || paletteSources.length === 0) {
      setResult(nothing);
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const answers = await Promise.allSettled(paletteSources.map((source) => source.find(search, stop.signal)));
      if (!stop.signal.aborted) {
        setResult({
          of: search,
          found: answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
          failed: answers.some((answer) => answer.status === 'rejected'),
        });
      }
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [search]);
  return { ...result, searching: result.of !== search };
}
