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
export const askedFates = [...fates, 'out', 'taken'] as const;
export type AskedFate = (typeof askedFates)[number];

const askedNames: Readonly<Record<AskedFate, string>> = {
  ...names,
  out: 'Sent or delivered',
  // Billed, whatever became of it afterwards.
  taken: 'Sent via a provider',
};

export function fateName(fate: string | null): string {
  return fates.find((known) => known === fate) ? names[fate as Fate] : '';
}

export function askedFateName(asked: AskedFate): string {
  return askedNames[asked];
}

export function readAskedFate(text: string | undefined): AskedFate | undefined {
  return askedFates.find((known) => known === text);
}

/** Whether somebody was told by it, as far as is known. */
export function wentOut(fate: string | null): boolean {
  return fate === 'sent' || fate === 'delivered';
}

/** What a message is about; the numbers are those that notifications are stored with. */
export const messageKinds: Readonly<Record<number, string>> = { 1: 'Alarm', 2: 'Health', 3: 'Resolve', 4: 'Other' };
