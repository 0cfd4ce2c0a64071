/** What became of a message. `kept` is one that only lies in the built-in outbox: it was sent to nobody. */
export const fates = ['queued', 'sent', 'delivered', 'kept', 'failed'] as const;
export type Fate = (typeof fates)[number];

const names: Readonly<Record<Fate, string>> = {
  queued: 'Queued',
  sent: 'Sent',
  delivered: 'Delivered',
  kept: 'Not sent (no provider)',
  failed: 'Failed',
};

/** What a list of messages can be narrowed to: one fate, or some together. */
export const fateFilters = [...fates, 'out', 'taken'] as const;
export type FateFilter = (typeof fateFilters)[number];

const askedNames: Readonly<Record<FateFilter, string>> = {
  ...names,
  out: 'Sent or delivered',
  // Billed, whatever became of it afterwards.
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

/** Whether somebody was told by it, as far as is known. */
export function isSentOrDelivered(fate: string | null): boolean {
  return fate === 'sent' || fate === 'delivered';
}

/** What a message is about; the numbers are those that notifications are stored with. */
export const messageKinds: Readonly<Record<number, string>> = { 1: 'Alarm', 2: 'Health', 3: 'Resolve', 4: 'Other' };
