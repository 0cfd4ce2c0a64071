import { shorten } from '../../domain/shorten.ts';

export { shorten };

const MOST = 500;

/**
 * Prepares a provider's response for storage and display: removes secrets and control characters, joins its lines and
 * truncates it to 500 characters.
 */
export function cleanAnswer(text: string, secrets: readonly string[] = []): string {
  return shorten(toOneLine(hideSecrets(text, secrets)), MOST);
}

/**
 * Returns a sentence ` Its response: …` that quotes a provider's response. Returns an empty string if there is no
 * response.
 */
export function quoteAnswer(text: string, secrets: readonly string[] = []): string {
  const said = cleanAnswer(text, secrets);
  return said ? ` Its response: ${shorten(said, 300)}` : '';
}

function toOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/**
 * Replaces secrets with `[hidden]`. A provider may repeat the request in URL encoding or as JSON, so secrets in these
 * encodings are replaced too.
 */
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

/**
 * A secret shorter than this is hidden only as a whole word, because its characters could be part of another word or of
 * a message id.
 */
const SHORT = 6;

function patternOf(spelling: string): RegExp | string {
  if (spelling.length >= SHORT) return spelling;
  const literally = spelling.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(`(?:(?<![\\p{L}\\p{N}])|(?<=%[0-9A-Fa-f]{2}))${literally}(?![\\p{L}\\p{N}])`, 'gu');
}
