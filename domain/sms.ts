/**
 * GSM 03.38 basic character set. Each character is one septet. The escape character is left out, because it never
 * occurs in text.
 */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/**
 * GSM 03.38 extension table. Each of these characters takes two septets: an escape character and a second character.
 */
const extension = new Set('\f^{}\\[~]|€');

/** Capacity of a single SMS, and of each segment of a concatenated SMS, which also contains a header. */
const limits = { gsm: { single: 160, part: 153 }, ucs2: { single: 70, part: 67 } } as const;

export interface SmsSegments {
  encoding: 'gsm' | 'ucs2';
  /** Number of septets in GSM 03.38, or of 16-bit units in UCS-2. */
  units: number;
  /** Number of billed segments. An empty message has one segment. */
  segments: number;
}

/**
 * Counts the billed segments of an SMS. One character outside GSM 03.38 switches the whole message to UCS-2. Escaped
 * characters and surrogate pairs occupy two units and are never split. One unit of a segment may therefore stay unused.
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
