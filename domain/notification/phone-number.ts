/**
 * Normalises a phone number to E.164. Accepts spaces, dashes, dots, brackets, 00 for the plus, and `(0)` after the
 * country code. Returns undefined if the text is not a number or has no country code.
 */
export function readPhoneNumber(text: string): string | undefined {
  const dialled = bare(text.replaceAll('(0)', '')).replace(/^00/, '+');
  return /^\+[1-9]\d{6,14}$/.test(dialled) ? dialled : undefined;
}

/**
 * Returns whether the text can be the number of a SIM card. Short numbers and numbers without a country code are valid.
 */
export function isSimNumber(text: string): boolean {
  return /^\+?\d{3,20}$/.test(bare(text));
}

function bare(text: string): string {
  return text.replace(/[\s\p{Cf}\p{Pd}()[\]./]/gu, '');
}
