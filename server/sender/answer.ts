const MOST = 500;

/**
 * Prepares a provider's answer for storing and showing: without secrets, on one line, at most 500 characters. Removes
 * control characters, because PostgreSQL cannot store NUL.
 */
export function cleanAnswer(text: string, secrets: readonly string[] = []): string {
  return shorten(toOneLine(hideSecrets(text, secrets)), MOST);
}

/** ` Its answer: …`, or an empty string; appended to a sentence. */
export function quoteAnswer(text: string, secrets: readonly string[] = []): string {
  const said = cleanAnswer(text, secrets);
  return said ? ` Its answer: ${shorten(said, 300)}` : '';
}

/** Never splits a surrogate pair. Ends with … if something was cut. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = most - 1;
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}

function toOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** A provider may echo the request in URL encoding or as JSON, so those spellings are hidden too. */
function hideSecrets(text: string, secrets: readonly string[]): string {
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

/** A shorter secret is hidden only as a whole word: by chance it can be part of a word or of a message id. */
const SHORT = 6;

function patternOf(spelling: string): RegExp | string {
  if (spelling.length >= SHORT) return spelling;
  const literally = spelling.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(`(?:(?<![\\p{L}\\p{N}])|(?<=%[0-9A-Fa-f]{2}))${literally}(?![\\p{L}\\p{N}])`, 'gu');
}
