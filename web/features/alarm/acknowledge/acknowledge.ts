import { GraphqlError } from '../../../api/graphql.ts';
import { type Acknowledgement, acknowledgementOf } from '../../../kit/format/alarm.ts';
import { type AcknowledgementInput, sendAcknowledgement } from './alarm-actions.queries.ts';

export type AcknowledgeOutcome =
  | { done: true; linkCounted: boolean }
  /** Another user acknowledged the alarm first. */
  | { done: false; first: Acknowledgement };

/**
 * Acknowledges one alarm. If the link from a message has expired or belongs to another message, sends the
 * acknowledgement again without the link: a signed-in user does not need it.
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
