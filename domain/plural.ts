/** Returns the singular or the plural, depending on the count: `site`, `sites`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return count === 1 ? one : many;
}

/** Formats a number of times: `once`, `3 times`. */
export function timesWords(count: number, locale?: string): string {
  return count === 1 ? 'once' : `${count.toLocaleString(locale)} times`;
}
