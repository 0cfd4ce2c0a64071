/** What a number field holds: its number, '' where it is empty, and the text as it was typed where that is no number. */
export type NumberValue = number | string;

const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/**
 * The same text with the minus and the point that a number is read by: the console writes a longer minus, a phone or a text
 * program makes a dash of one, and many people write a comma. 1,250 keeps its comma, because nobody can tell what it means.
 */
export function plainText(text: string): string {
  const plain = text.replace(/[\u2212\u2013]/g, '-');
  const isThousands = /^\s*-?[1-9]\d{0,2},\d{3}\s*$/.test(plain);
  return /^\s*-?\d*,\d*\s*$/.test(plain) && !isThousands ? plain.replace(',', '.') : plain;
}

export function readNumber(text: string): NumberValue {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const number = Number(trimmed);
  return NUMBER.test(trimmed) && Number.isFinite(number) ? number : text;
}

/** What is wrong with what a number field holds, whatever the number is for; an empty one is no matter of the field. */
export function numberProblem(value: NumberValue): string | null {
  const number = typeof value === 'string' ? readNumber(value) : value;
  return number === '' || typeof number === 'number' ? null : 'Write a number such as 1250 or 4.2.';
}
