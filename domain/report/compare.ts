import type { ReportRange } from './range.ts';

/**
 * Whether days before can be set against others, by how much was counted in them. Nothing counted says something only of days in
 * which the plant was there from the first on: `since` is when its first site was made, or null where it has none.
 */
export function isComparable(counted: number, { from }: Pick<ReportRange, 'from'>, since: Date | null): boolean {
  return counted > 0 || (since !== null && since <= from);
}
