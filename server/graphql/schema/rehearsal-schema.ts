import { extendSchema, gql } from 'postgraphile/utils';
import { mostRepeats, mostStepRecipients, mostSteps, mostWaitMinutes } from '../../../domain/alarm/plan.ts';
import { type DraftStep, rehearsePlan } from '../../rule/rehearse.ts';
import { mostRehearsed } from '../limit/list-sizes.ts';
import { answer, isoTime, refusal } from './transaction-plan.ts';

const rehearsalTypes = gql`
  """A step of an escalation plan that is not saved yet."""
  input RehearsalStepInput {
    """Minutes without acknowledgement since the step before; 0 for the first step."""
    waitMinutes: Int!
    repeatCount: Int!
    repeatMinutes: Int!
    personUuids: [UUID!]!
    layerUuids: [UUID!]!
  }

  """A notification that one person would get, by all these methods."""
  type RehearsedNotification {
    at: Datetime!
    step: Int!
    """0 for the start of the step."""
    repeat: Int!
    personUuid: UUID!
    personName: String!
    """The rota and layer for which the person is on call; null for a named person."""
    onCallFor: String
    """1 e-mail, 2 WhatsApp, 3 SMS, 4 app push. Empty: the person cannot be notified."""
    methodTypes: [Int!]!
    """Why methods do not work."""
    problems: [String!]!
  }

  """A layer in which nobody would be on call."""
  type RehearsedGap {
    at: Datetime!
    step: Int!
    repeat: Int!
    onCallFor: String!
    """The step has nobody else to notify, so the next step begins at once."""
    isSkipped: Boolean!
  }

  type PlanRehearsal {
    at: Datetime!
    notifications: [RehearsedNotification!]!
    gaps: [RehearsedGap!]!
  }

  extend type Query {
    """
    Who would be notified, when and by which methods, if an alarm opened at a time and nobody acknowledged it: by the plan
    of a rule alert, or by steps that are not saved yet. Only for managers. "at" is the present time if it is missing.
    """
    rehearsePlan(ruleAlertUuid: UUID, steps: [RehearsalStepInput!], at: Datetime): PlanRehearsal
  }
`;

function draftOf(steps: readonly Record<string, any>[]): DraftStep[] {
  const refuse = (step: number, sentence: string) =>
    refusal({ field: `steps.${step}`, sentence: `Step ${step + 1}: ${sentence}` });
  if (steps.length < 1 || steps.length > mostSteps) {
    throw refusal({ field: 'steps', sentence: `A plan has 1 to ${mostSteps} steps.` });
  }
  return steps.map(({ waitMinutes, repeatCount, repeatMinutes, personUuids, layerUuids }, index) => {
    if (index > 0 && !(waitMinutes >= 1 && waitMinutes <= mostWaitMinutes)) {
      throw refuse(index, 'enter a wait from 1 to 10,080 minutes.');
    }
    if (!(repeatCount >= 0 && repeatCount <= mostRepeats)) throw refuse(index, `enter 0 to ${mostRepeats} repeats.`);
    if (!(repeatMinutes >= 1 && repeatMinutes <= mostWaitMinutes)) {
      throw refuse(index, 'enter an interval from 1 to 10,080 minutes.');
    }
    if (personUuids.length + layerUuids.length > 4 * mostStepRecipients) throw refuse(index, 'remove some recipients.');
    const times = { waitMinutes: index === 0 ? 0 : waitMinutes, repeatCount, repeatMinutes };
    return { ...times, people: personUuids, layers: layerUuids };
  });
}

/** Adds the rehearsal of escalation plans. */
export const RehearsalPlugin = extendSchema({
  typeDefs: [rehearsalTypes],
  objects: {
    Query: {
      plans: {
        rehearsePlan: answer(['ruleAlertUuid', 'steps', 'at'], async (tx, { ruleAlertUuid, steps, at }, now) => {
          const { rows } = await tx.query<{ may: boolean }>('select tocsin_private.is_manager() as may');
          if (!rows[0]?.may) return undefined;
          if ((ruleAlertUuid ?? null) === null && (steps ?? null) === null) {
            throw refusal({ field: 'ruleAlertUuid', sentence: 'Enter the uuid of a rule alert, or steps.' });
          }
          const moment = (at ?? null) === null ? now : Date.parse(String(at));
          if (Number.isNaN(moment)) {
            throw refusal({ field: 'at', sentence: 'Enter a time, such as 2026-03-02T08:00:00Z.' });
          }
          const found = await rehearsePlan(tx, steps ? { steps: draftOf(steps) } : { ruleAlertUuid }, moment);
          if (found && Math.max(found.notifications.length, found.gaps.length) > mostRehearsed) {
            throw refusal({
              field: 'steps',
              sentence: 'This plan sends more than 2,000 notifications. Reduce the repeats.',
            });
          }
          return (
            found && {
              at: isoTime(moment),
              notifications: found.notifications.map((one) => ({ ...one, at: isoTime(one.at) })),
              gaps: found.gaps.map((one) => ({ ...one, at: isoTime(one.at) })),
            }
          );
        }),
      },
    },
  },
} as never);
