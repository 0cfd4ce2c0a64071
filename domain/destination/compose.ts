import type { ComposedDelivery, DestinationKind } from './event.ts';
import { slackBody } from './slack.ts';
import { teamsBody } from './teams.ts';
import { webhookBody } from './webhook.ts';

const bodies: Readonly<Record<DestinationKind, (delivery: ComposedDelivery) => object>> = {
  webhook: webhookBody,
  slack: slackBody,
  teams: teamsBody,
};

/** Composes the body of a request. Every attempt to send a delivery gets the same body. */
export function composeBody(kind: DestinationKind, delivery: ComposedDelivery): string {
  return JSON.stringify(bodies[kind](delivery));
}
