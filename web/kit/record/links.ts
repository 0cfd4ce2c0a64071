import type { Option } from './Picker.tsx';

/** What was linked and taken off since `before`: only that is sent, so that what others linked meanwhile stays. */
export function linkChanges(before: readonly Option[], after: readonly Option[]): { link: string[]; unlink: string[] } {
  const wanted = new Set(after.map(({ value }) => value));
  const had = new Set(before.map(({ value }) => value));
  return { link: [...wanted].filter((key) => !had.has(key)), unlink: [...had].filter((key) => !wanted.has(key)) };
}
