const MOST = 500;

/**
 * What a provider said, fit to be stored and shown: without secrets, on one line, at most 500 characters. Control characters go
 * because PostgreSQL cannot store the first of them.
 */
export function presentable(text: string, secrets: readonly string[] = []): string {
  return shorten(clean(hide(text, secrets)), MOST);
}

/** ` It said: …` or nothing, for the end of a sentence. */
export function itSaid(text: string, secrets: readonly string[] = []): string {
  const said = presentable(text, secrets);
  return said ? ` It said: ${shorten(said, 300)}` : '';
}

/** Cuts between characters, never inside one, and shows that something is missing. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = most - 1;
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}

function clean(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** A provider that repeats a request in its answer may write it as in an address or as in JSON. */
function hide(text: string, secrets: readonly string[]): string {
  const spellings = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
  ]);
  return spellings
    .filter((spelling) => spelling !== '')
    .sort((left, right) => right.length - left.length)
    .reduce((rest, spelling) => rest.replaceAll(patternOf(spelling), '[hidden]'), text);
}

/** What is so short may be part of a word, or of the provider's number for the message, by chance. */
const SHORT = 6;

function patternOf(spelling: string): RegExp | string {
  if (spelling.length >= SHORT) return spelling;
  const literally = spelling.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(`(?:(?<![\\p{L}\\p{N}])|(?<=%[0-9A-Fa-f]{2}))${literally}(?![\\p{L}\\p{N}])`, 'gu');
}
