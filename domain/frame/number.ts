/**
 * Parses a decimal number such as `-12.5` or `1e3`, or `true` or `false`. Returns NaN for any other text. `isNotFinite`
 * recognises `Infinity`, `NaN` and overflow.
 */
export function parseNumber(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value)) {
    // `Number` also accepts empty text as 0, and hex, octal and binary notation. Devices do not use these notations.
    return isNothing(text) || isOtherBase(text) ? Number.NaN : value + 0;
  }
  switch (text.trim().toLowerCase()) {
    case 'true':
      return 1;
    case 'false':
      return 0;
    default:
      return Number.NaN;
  }
}

/**
 * Returns whether a text that `parseNumber` rejects means infinity or NaN. Some C libraries write `1.#INF` and
 * `1.#QNAN`.
 */
export function isNotFinite(text: string): boolean {
  const value = Number(text);
  return value === Infinity || value === -Infinity || /^\s*[+-]?(nan|inf|infinity|1\.#inf|1\.#q?nan)\s*$/i.test(text);
}

function isNothing(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 32) || first > 126 ? text.trim() === '' : false;
}

/**
 * Returns whether the text is in hex, octal or binary notation. `Number` accepts `0x`, `0o` and `0b` without a sign,
 * possibly surrounded by whitespace.
 */
function isOtherBase(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first > 48 && first <= 57) {
    return false;
  }
  const start = first > 32 && first < 127 ? text : text.trimStart();
  return start.charCodeAt(0) === 48 && /^0[xob]/i.test(start);
}
