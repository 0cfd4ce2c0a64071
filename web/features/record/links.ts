import type { Option } from './Picker.tsx';

/** A link as it stands on the server: its own key, and the key of what it leads to. */
export interface StoredLink {
  uuid: string;
  target: string;
}

/**
 * What has to be done so that what was linked and taken off here holds, whatever others linked meanwhile: only the
 * difference counts, and a link that is there already, or gone already, is left alone.
 */
export function linkChanges(
  before: readonly Option[],
  after: readonly Option[],
  stored: readonly StoredLink[],
): { add: string[]; remove: string[] } {
  const wanted = new Set(after.map(({ value }) => value));
  const had = new Set(before.map(({ value }) => value));
  return {
    add: [...wanted].filter((key) => !had.has(key) && !stored.some(({ target }) => target === key)),
    remove: stored.filter(({ target }) => had.has(target) && !wanted.has(target)).map(({ uuid }) => uuid),
  };
}
