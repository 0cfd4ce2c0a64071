/** The letters of GSM 03.38 that take one septet. The escape itself is no letter and never appears in a text. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** The letters that are reached through the escape, and so take two septets. */
const extension = new Set('\f^{}\\[~]|€');

/** One message alone, and each part of a message that needs several and gives up room for a header that joins them. */
const limits = { gsm: { single: 160, part: 153 }, ucs2: { single: 70, part: 67 } } as const;

export interface SmsSegments {
  encoding: 'gsm' | 'ucs2';
  /** Septets in GSM 03.38, 16-bit units in UCS-2. */
  units: number;
  /** What a provider bills. An empty message is still one. */
  segments: number;
}

/**
 * Counts the segments an SMS is billed as. One letter outside GSM 03.38 turns the whole message to UCS-2. A letter of two units
 * (an escaped one, or a surrogate pair) is never cut, so a part may stay one unit short.
 */
export function smsSegments(text: string): SmsSegments {
  const letters = [...text];
  const encoding = letters.every((letter) => basic.has(letter) || extension.has(letter)) ? 'gsm' : 'ucs2';
  const { single, part } = limits[encoding];
  let units = 0;
  let segments = 1;
  let room: number = part;
  for (const letter of letters) {
    const size = encoding === 'ucs2' ? letter.length : extension.has(letter) ? 2 : 1;
    units += size;
    if (size > room) {
      segments += 1;
      room = part;
    }
    room -= size;
  }
  return { encoding, units, segments: units <= single ? 1 : segments };
}
