/** What an address says in place of a reason for the alarms that have none. */
export const NO_REASON = 'none';
export const NO_REASON_WORDS = 'No reason given';

/** What the database is asked for: all alarms for null, those without a reason for an empty one. */
export function reasonOf(asked: string | undefined): string | null {
  if (asked === undefined || asked === '') return null;
  return asked === NO_REASON ? '' : asked;
}
