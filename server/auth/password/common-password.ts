const SHORTEST_WORD = 3;

/**
 * Whether a password is among those that are guessed first, also with digits or signs put behind it and in other letters: it
 * is 10 characters long then and no better. The list is read when somebody sets a password, and not when the server starts.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const known = dictionary['passwords-common'];
  const whole = password.trim().toLowerCase();
  const words = [whole, whole.replace(/\d+$/, ''), whole.replace(/[^\p{L}]+$/u, '')];
  return words.some((word) => word.length >= SHORTEST_WORD && known.includes(word));
}
