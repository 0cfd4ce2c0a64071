/**
 * Returns how many items at the start of a list meet the condition. All items that meet it must come before the others.
 */
export function countLeading(length: number, meets: (index: number) => boolean): number {
  let first = 0;
  let end = length;
  while (first < end) {
    const middle = (first + end) >> 1;
    if (meets(middle)) first = middle + 1;
    else end = middle;
  }
  return first;
}
