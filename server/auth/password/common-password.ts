const SHORTEST_WORD = 3;

/**
 * Returns whether a password is common, ignoring case and trailing digits or punctuation. Loads the list of common
 * passwords on first use.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const known = dictionary['passwords-common'];
  const whole = password.trim().toLowerCase();
  const words = [whole, whole.replace(/\d+$/, ''), whole.replace(/[^\p{L}]+$/u, '')];
  return words.some((word) => word.length >= SHORTEST_WORD && known.includes(word));
}
