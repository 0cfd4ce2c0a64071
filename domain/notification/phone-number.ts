/**
 * A phone number in the one form that networks dial everywhere (E.164), however it was typed: with blanks, dashes, dots and
 * brackets, with 00 for the plus, and with a zero in brackets that is left out behind a country code. Undefined for what has
 * no country code or is no number at all.
 */
export function readPhoneNumber(text: string): string | undefined {
  const dialled = bare(text.replaceAll('(0)', '')).replace(/^00/, '+');
  return /^\+[1-9]\d{6,14}$/.test(dialled) ? dialled : undefined;
}

/** Whether it could be the number of a SIM card, which may be a short one of its network and have no country code. */
export function isSimNumber(text: string): boolean {
  return /^\+?\d{3,20}$/.test(bare(text));
}

function bare(text: string): string {
  return text.replace(/[\s\p{Cf}\p{Pd}()[\]./]/gu, '');
}
