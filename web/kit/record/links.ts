import type { Option } from './Picker.tsx';

/** Returns the links added and removed since `before`. Only these are sent, so that changes by other users are kept. */
export function linkChanges(before: readonly Option[], after: readonly Option[]): { link: string[]; unlink: string[] } {
  const wanted = new Set(after.map(({ value }) => value));
  const had = new Set(before.map(({ value }) => value));
  return { link: [...wanted].filter((key) => !had.has(key)), unlink: [...had].filter((key) => !wanted.has(key)) };
}
