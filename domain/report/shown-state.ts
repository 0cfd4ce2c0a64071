/**
 * States of a message as reports show them. `kept` means that the message is in the built-in outbox and was sent to
 * nobody.
 */
export const shownStates = ['queued', 'sent', 'delivered', 'kept', 'failed'] as const;
export type ShownState = (typeof shownStates)[number];

const names: Readonly<Record<ShownState, string>> = {
  queued: 'Queued',
  sent: 'Sent',
  delivered: 'Delivered',
  kept: 'Not sent (no provider)',
  failed: 'Failed',
};

/** State filters of a message list: one state, or a group of states. */
export const stateFilters = [...shownStates, 'out', 'taken'] as const;
export type StateFilter = (typeof stateFilters)[number];

const filterNames: Readonly<Record<StateFilter, string>> = {
  ...names,
  out: 'Sent or delivered',
  // Messages that a provider accepted and therefore bills, even if their delivery failed later.
  taken: 'Sent via a provider',
};

export function shownStateName(shownState: string | null): string {
  return shownStates.find((known) => known === shownState) ? names[shownState as ShownState] : '';
}

export function stateFilterName(asked: StateFilter): string {
  return filterNames[asked];
}

export function readStateFilter(text: string | undefined): StateFilter | undefined {
  return stateFilters.find((known) => known === text);
}

/** Returns whether the message was sent or delivered. Without a receipt, a sent message is assumed to have arrived. */
export function isSentOrDelivered(shownState: string | null): boolean {
  return shownState === 'sent' || shownState === 'delivered';
}

/** Names of the message types, keyed by the number stored with a notification. */
export const messageKinds: Readonly<Record<number, string>> = { 1: 'Alarm', 2: 'Health', 3: 'Resolve', 4: 'Other' };
