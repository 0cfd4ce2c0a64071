/** Value of the reason filter in a URL. It selects alarms without a reason. */
export const NO_REASON = 'none';
export const NO_REASON_WORDS = 'No reason given';

/** Value of the reason filter in a URL. It selects alarms that need an acknowledgement but have none. */
export const UNACKNOWLEDGED = 'unacknowledged';
export const UNACKNOWLEDGED_WORDS = 'Not acknowledged';

/** Returns the reason filter for the database: null for all alarms, '' for alarms without a reason. */
export function reasonFilter(asked: string | undefined): string | null {
  if (asked === undefined || asked === '') return null;
  return asked === NO_REASON || asked === UNACKNOWLEDGED ? '' : asked;
}

/** Returns the database filter for alarms that need an acknowledgement; null for all alarms. */
export function mustAcknowledgeFilter(asked: string | undefined): true | null {
  return asked === UNACKNOWLEDGED ? true : null;
}
