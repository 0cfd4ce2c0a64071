import type { DestinationKind } from '../../../domain/destination/event.ts';
import { counted } from '../../kit/format/number.ts';
import type { Delivery } from './destination.queries.ts';

export const kindLabels: Readonly<Record<DestinationKind, string>> = {
  webhook: 'Webhook',
  slack: 'Slack',
  teams: 'Microsoft Teams',
};

/** Where the user finds the URL of each kind. */
export const urlHints: Readonly<Record<DestinationKind, string>> = {
  webhook: 'Address of your system that receives the signed JSON.',
  slack: 'URL of an incoming webhook of your Slack app.',
  teams: 'URL of a Teams workflow that posts to a channel when a webhook request is received.',
};

/** Returns the name of a kind; an unknown kind is returned unchanged. */
export function kindLabel(kind: string): string {
  return kindLabels[kind as DestinationKind] ?? kind;
}

const states: Readonly<Record<string, string>> = { queued: 'Waiting', sent: 'Sent', failed: 'Failed' };

export function stateLabel(state: string): string {
  return states[state] ?? state;
}

type Shown = Pick<Delivery, 'state' | 'attempts' | 'responseCode' | 'answer'>;

/** Returns the state of a delivery with its attempts and the last response: `Failed after 3 attempts (500)`. */
export function deliveryText({ state, attempts, responseCode }: Shown): string {
  const code = responseCode === null ? '' : ` (${responseCode})`;
  if (state === 'sent') return attempts > 1 ? `Sent after ${counted(attempts, 'attempt')}${code}` : `Sent${code}`;
  if (state === 'failed') return `Failed after ${counted(attempts, 'attempt')}${code}`;
  return attempts === 0 ? 'Waiting' : `Waiting for another attempt after ${counted(attempts, 'attempt')}${code}`;
}
