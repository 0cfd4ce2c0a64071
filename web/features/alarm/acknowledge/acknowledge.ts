import { GraphqlError } from '../../../api/graphql.ts';
import { type Acknowledgement, acknowledgementOf } from '../../../kit/format/alarm.ts';
import { type AcknowledgementInput, sendAcknowledgement } from './alarm-actions.queries.ts';

export type AcknowledgeOutcome =
  | { done: true; linkCounted: boolean }
  /** Somebody else has acknowledged it meanwhile. */
  | { done: false; first: Acknowledgement };

/**
 * Acknowledges one alarm. A link that has expired or belongs to another message only loses its meaning: whoever stands
 * before the dialog has signed in, so the acknowledgement goes on without it.
 */
export async function acknowledgeOne(
  uuid: string,
  input: AcknowledgementInput,
  me: string,
  link?: string,
): Promise<AcknowledgeOutcome> {
  let linkCounted = link !== undefined;
  let record: unknown;
  try {
    record = await sendAcknowledgement(uuid, input, link);
  } catch (error) {
    if (link === undefined || !(error instanceof GraphqlError) || error.field !== 'link') {
      throw error;
    }
    linkCounted = false;
    record = await sendAcknowledgement(uuid, input);
  }
  const first = acknowledgementOf(record);
  return first !== null && first.by !== me ? { done: false, first } : { done: true, linkCounted };
}
