/** States of a message as reports show them. `kept` is a message in the built-in outbox, sent to nobody. */
export const fates = ['queued', 'sent', 'delivered', 'kept', 'failed'] as const;
export type Fate = (typeof fates)[number];

const names: Readonly<Record<Fate, string>> = {
  queued: 'Queued',
  sent: 'Sent',
  delivered: 'Delivered',
  kept: 'Not sent (no provider)',
  failed: 'Failed',
};

/** State filters of a message list: one state, or a group of states. */
export const fateFilters = [...fates, 'out', 'taken'] as const;
export type FateFilter = (typeof fateFilters)[number];

const askedNames: Readonly<Record<FateFilter, string>> = {
  ...names,
  out: 'Sent or delivered',
  // Billed, even if the delivery failed later.
  taken: 'Sent via a provider',
};

export function fateName(fate: string | null): string {
  return fates.find((known) => known === fate) ? names[fate as Fate] : '';
}

export function fateFilterName(asked: FateFilter): string {
  return askedNames[asked];
}

export function readFateFilter(text: string | undefined): FateFilter | undefined {
  return fateFilters.find((known) => known === text);
}

/** Whether the message reached its recipient, as far as is known. */
export function isSentOrDelivered(fate: string | null): boolean {
  return fate === 'sent' || fate === 'delivered';
}

/** Message types, by the number stored with a notification. */
export const messageKinds: Readonly<Record<number, string>> = { 1: 'Alarm', 2: 'Health', 3: 'Resolve', 4: 'Other' };
