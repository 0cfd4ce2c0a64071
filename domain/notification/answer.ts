/**
 * What a person wants when they answer a message. `command` is the answer without its letter and note, such as `2 30`,
 * so that a question can repeat it. `letter` is the choice from a list that the person was sent.
 */
export type Answer =
  | { kind: 'acknowledge'; command: string; letter?: string; note: string }
  /** `number` is the number of a reason in the list that the person was sent; the first reason is `FIRST_REASON`. */
  | { kind: 'reason'; number: number; command: string; letter?: string; note: string }
  | { kind: 'snooze'; minutes: number; command: string; letter?: string; note: string }
  | { kind: 'unclear'; because: 'no-number' | 'no-minutes' };

/** The numbers 1 and 2 acknowledge and snooze, so the reasons start at 3. Every list uses the same numbers. */
export const FIRST_REASON = 3;

/** Letters of the choices in a list. */
export const LETTERS: readonly string[] = ['A', 'B', 'C', 'D', 'E', 'F'];

const LONGEST_NOTE = 500;
const MOST_MINUTES = 999_999;

/** A number, which may be followed by a letter of a list without a space. `1st` and `1.5` are not commands. */
const LEADING_NUMBER = /^(\d{1,6})(?=$|[\s,;:!.)-](?!\d)|[\s,;:!)-]|[A-F](?![A-Z\d]))[\s,;:!.)-]*/i;
const LEADING_MINUTES = /^(\d{1,6})\s*(minutes?|mins?|m|hours?|hrs?|h)?(?![A-Z\d.])[\s,;:!.)-]*/i;
const LEADING_LETTER = /^([A-F])(?![\p{L}\p{N}])[\s,;:!.)-]*/iu;

/**
 * Parses the answer to a message: `1`, `1 A`, `2 30`, `2 1h B`, `3`, `3 on my way`. Accepts digits of every script,
 * upper and lower case, any spaces and invisible characters. Text after the command is a note.
 */
export function parseAnswer(text: string): Answer {
  const clean = plain(text);
  const [whole, digits] = LEADING_NUMBER.exec(clean) ?? [];
  const number = Number(digits);
  if (whole === undefined || number < 1) return { kind: 'unclear', because: 'no-number' };
  const rest = clean.slice(whole.length);
  if (number !== 2) {
    const command = String(number);
    const end = letterAndNote(rest);
    return number === 1 ? { kind: 'acknowledge', command, ...end } : { kind: 'reason', number, command, ...end };
  }
  const [period, count, unit = 'm'] = LEADING_MINUTES.exec(rest) ?? [];
  const minutes = Number(count) * (/^h/i.test(unit) ? 60 : 1);
  if (period === undefined || minutes < 1 || minutes > MOST_MINUTES) return { kind: 'unclear', because: 'no-minutes' };
  return { kind: 'snooze', minutes, command: `2 ${minutes}`, ...letterAndNote(rest.slice(period.length)) };
}

function letterAndNote(rest: string): { letter?: string; note: string } {
  const [whole = '', letter] = LEADING_LETTER.exec(rest) ?? [];
  const note = rest.slice(whole.length).trim().slice(0, LONGEST_NOTE).toWellFormed();
  return { ...(letter !== undefined && { letter: letter.toUpperCase() }), note };
}

/**
 * Returns the text on one line with ASCII digits, without quotes and marks around it. Keyboards and messengers add
 * invisible characters, and put the digits of an emoji into a frame.
 */
function plain(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Me}]|\p{Variation_Selector}/gu, '')
    .replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)))
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/^["'“”„«»‘’#([\s]+/u, '')
    .replace(/["'“”„«»‘’\])]+$/u, '')
    .trim();
}

/** Returns the value of a decimal digit. Unicode lists the ten digits of a script one after the other, from zero. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) as number;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return code - zero;
}
