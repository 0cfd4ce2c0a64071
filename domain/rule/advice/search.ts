/** Counts the items at the start of a list of this length that meet the condition. Items that do must come first. */
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
