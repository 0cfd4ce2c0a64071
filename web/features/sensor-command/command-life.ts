/** States of a command, with the names that the server uses. */
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

/** Returns the state as text, with the user who cancelled the command, if any. */
export function stateText({ state, cancelledBy }: { state: string | null; cancelledBy: string | null }): string {
  const words = stateWords[stateOf(state)];
  return cancelledBy === null ? words : `${words} by ${cancelledBy}`;
}

export const stateMeaning: Readonly<Record<CommandState, string>> = {
  queued: 'Queued until the device connects. You can cancel the command until then.',
  sent: 'Sent, but not confirmed yet. Tocsin sends the command again until the device confirms it.',
  confirmed: 'The device confirmed the command.',
  cancelled: 'Cancelled before it was sent. The device will not receive the command.',
  expired: 'Expired: the device did not confirm in time.',
};

/** Converts hours to an expiry time. Returns undefined for an empty or invalid value, so that the default applies. */
export function expiryOf(hours: number | string, now: Date): string | undefined {
  const number = Number(hours);
  return hours === '' || !Number.isFinite(number)
    ? undefined
    : new Date(now.getTime() + number * 3_600_000).toISOString();
}
