/**
 * The number that a text writes in decimals, as in `-12.5` or `1e3`; NaN where it writes none. `Infinity`, `NaN` and numbers
 * beyond every limit are told apart by isNotFinite.
 */
export function parseNumber(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value)) {
    // What Number takes but no device means: nothing at all as 0, and other bases.
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

/** Whether a text that gave no number means one that is not finite. The last two are how C writes them on some machines. */
export function isNotFinite(text: string): boolean {
  const value = Number(text);
  return value === Infinity || value === -Infinity || /^\s*[+-]?(nan|inf|infinity|1\.#inf|1\.#q?nan)\s*$/i.test(text);
}

function isNothing(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 32) || first > 126 ? text.trim() === '' : false;
}

/** Only unsigned `0x`, `0o` and `0b` are numbers to Number, possibly between blanks. */
function isOtherBase(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first > 48 && first <= 57) {
    return false;
  }
  const start = first > 32 && first < 127 ? text : text.trimStart();
  return start.charCodeAt(0) === 48 && /^0[xob]/i.test(start);
}
