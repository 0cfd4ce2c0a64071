/** Where a command is in its life, as the server says it. */
export const commandStates = ['queued', 'sent', 'confirmed', 'taken-back', 'expired'] as const;
export type CommandState = (typeof commandStates)[number];

export const stateWords: Readonly<Record<CommandState, string>> = {
  queued: 'Queued',
  sent: 'Sent',
  confirmed: 'Confirmed',
  'taken-back': 'Taken back',
  expired: 'Expired',
};

export function stateOf(value: string | null): CommandState {
  return commandStates.find((state) => state === value) ?? 'queued';
}

/** The state in words, with the person where one brought it about. */
export function stateText({ state, takenBackBy }: { state: string | null; takenBackBy: string | null }): string {
  const words = stateWords[stateOf(state)];
  return takenBackBy === null ? words : `${words} by ${takenBackBy}`;
}

/** What a state means for whoever waits for it. */
export const stateMeaning: Readonly<Record<CommandState, string>> = {
  queued: 'It waits until the device calls in. Until then it can be taken back.',
  sent: 'The device was given it and has not confirmed it yet. It is given again until it does.',
  confirmed: 'The device said that it has it.',
  'taken-back': 'It was taken back before it was sent. The device never gets it.',
  expired: 'Nobody confirmed it in time. It is not given any more.',
};

/** Hours as a moment to expire at; undefined where the usual time is to hold. */
export function expiryOf(hours: number | string, now: Date): string | undefined {
  const number = Number(hours);
  return hours === '' || !Number.isFinite(number)
    ? undefined
    : new Date(now.getTime() + number * 3_600_000).toISOString();
}
