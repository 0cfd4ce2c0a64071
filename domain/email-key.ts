/**
 * Normalises an e-mail address for comparison: trims it and converts A to Z to lower case. Addresses with the same key
 * belong to the same account and share its limits. Other letters, such as İ, are unchanged, because PostgreSQL and
 * JavaScript convert their case differently. `tocsin_private.email_key` implements the same rule in the database.
 */
export function emailKey(email: string): string {
  return email.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
