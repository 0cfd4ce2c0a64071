/** The states of a command, as the server names them. */
export const commandStates = ['queued', 'sent', 'confirmed', 'cancelled', 'expired'] as const;
export type CommandState = (typeof commandStates)[number];

export const stateWords: Readonly<Record<CommandState, string>> = {
  queued: 'Queued',
  sent: 'Sent',
  confirmed: 'Confirmed',
  cancelled: 'Cancelled',
  expired: 'Expired',
};

export function stateOf(value: string | null): CommandState {
  return commandStates.find((state) => state === value) ?? 'queued';
}

/** The state as text, with the user who caused it, if any. */
export function stateText({ state, cancelledBy }: { state: string | null; cancelledBy: string | null }): string {
  const words = stateWords[stateOf(state)];
  return cancelledBy === null ? words : `${words} by ${cancelledBy}`;
}

/** Explains each state. */
export const stateMeaning: Readonly<Record<CommandState, string>> = {
  queued: 'Queued until the device connects. Until then it can be cancelled.',
  sent: 'Sent; the device has not confirmed it yet. It is repeated until then.',
  confirmed: 'The device confirmed it.',
  cancelled: 'Cancelled before it was sent. The device will not receive it.',
  expired: 'Expired: the device did not confirm in time.',
};

/** Converts hours to an expiry time; undefined for the default. */
export function expiryOf(hours: number | string, now: Date): string | undefined {
  const number = Number(hours);
  return hours === '' || !Number.isFinite(number)
    ? undefined
    : new Date(now.getTime() + number * 3_600_000).toISOString();
}
