/**
 * Normalises an e-mail address for comparison: trims it and lower-cases A to Z. Addresses with the same key belong to
 * the same account and share its limits. Other letters stay, because PostgreSQL and JavaScript map their case
 * differently (İ). `tocsin_private.email_key` is the same rule in the database.
 */
export function emailKey(email: string): string {
  return email.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
