import { messageOf } from '../../api/http.ts';

export interface Outcome<T> {
  done: T[];
  failed: { item: T; problem: string }[];
}

/** Number of parallel requests. Higher numbers would slow down the server for other users. */
const AT_ONCE = 4;

/** Performs the action on each item, several at a time. If one item fails, the remaining items are still processed. */
export async function runAll<T>(
  items: readonly T[],
  act: (item: T) => Promise<unknown>,
  onProgress: (finished: number) => void = () => undefined,
): Promise<Outcome<T>> {
  const outcome: Outcome<T> = { done: [], failed: [] };
  const waiting = [...items];
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await act(item);
        outcome.done.push(item);
      } catch (error) {
        outcome.failed.push({ item, problem: messageOf(error) });
      }
      onProgress(outcome.done.length + outcome.failed.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, work));
  return outcome;
}

/**
 * Performs the action on all items in one call, which changes either all of them or none. `changed` is the number of
 * changed items; `refused` is the reason if the call failed.
 */
export async function runTogether<T>(
  items: readonly T[],
  act: (items: readonly T[]) => Promise<number>,
): Promise<Outcome<T> & { changed: number; refused: string | null }> {
  try {
    return { changed: await act(items), done: [...items], failed: [], refused: null };
  } catch (error) {
    return { changed: 0, done: [], failed: [], refused: messageOf(error) };
  }
}
