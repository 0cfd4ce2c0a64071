/**
 * The form in which e-mail addresses are compared: without blanks around them, A to Z in lower case. Two addresses with one key
 * are one account and share its limits. Only A to Z, because PostgreSQL and JavaScript map the case of other letters
 * differently (İ). `tocsin_private.email_key` is the same rule in the database.
 */
export function emailKey(email: string): string {
  return email.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
