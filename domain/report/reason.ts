/** What an address says in place of a reason for the alarms that have none. */
export const NO_REASON = 'none';
export const NO_REASON_WORDS = 'No reason given';

/** In place of a reason, for the alarms that somebody had to acknowledge and nobody did. */
export const UNACKNOWLEDGED = 'unacknowledged';
export const UNACKNOWLEDGED_WORDS = 'Not acknowledged';

/** What the database is asked for: all alarms for null, those without a reason for an empty one. */
export function reasonFilter(asked: string | undefined): string | null {
  if (asked === undefined || asked === '') return null;
  return asked === NO_REASON || asked === UNACKNOWLEDGED ? '' : asked;
}

/** Whether it is asked for those alone that had to be acknowledged; null for all. */
export function mustAcknowledgeFilter(asked: string | undefined): true | null {
  return asked === UNACKNOWLEDGED ? true : null;
}
