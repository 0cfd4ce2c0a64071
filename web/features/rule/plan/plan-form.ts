import { mostRepeats, mostStepRecipients, mostSteps, mostWaitMinutes } from '../../../../domain/alarm/plan.ts';
import type { VariablesOf } from '../../../api/graphql.ts';
import type { NumberValue } from '../../../ui/number-text.ts';
import type { RuleAlertInput, RuleAlertRecord } from '../alert/rule-alert.queries.ts';
import { ruleAlertInput, ruleAlertValues } from '../alert/rule-alert-form.ts';
import type { StoredStep } from '../alert/steps.queries.ts';
import { numberOf } from '../rule-form.ts';
import type { rehearsal } from './plan.queries.ts';

export interface RecipientRow {
  uuid: string;
  name: string;
}

export interface StepRow {
  wait: NumberValue;
  repeats: NumberValue;
  every: NumberValue;
  people: RecipientRow[];
  layers: RecipientRow[];
}

export type PlanValues = { steps: StepRow[] };

export type StepField = 'wait' | 'repeats' | 'every' | 'recipients';
export type StepProblems = Partial<Record<StepField, string>>;

export const newStep: StepRow = { wait: 20, repeats: 0, every: 15, people: [], layers: [] };

/** Returns the steps of a rule alert. The first two are in its own fields, except for their rotas. */
export function planValues(alert: RuleAlertRecord, stored: readonly StoredStep[]): PlanValues {
  const at = (step: number) => stored.find((one) => one.step === step);
  const named = (row: { tocsinUserUuid: string; personName: string | null }) => ({
    uuid: row.tocsinUserUuid,
    name: row.personName ?? '',
  });
  const steps: StepRow[] = [
    {
      ...{ wait: 0, repeats: at(1)?.repeatCount ?? 0, every: at(1)?.repeatMinutes ?? newStep.every },
      ...{ people: alert.people.filter(({ isAlert }) => isAlert).map(named), layers: at(1)?.layers ?? [] },
    },
    {
      ...{ wait: alert.escalateMinutes, repeats: alert.escalateCount - 1, every: alert.escalateIntervalMinutes },
      ...{ people: alert.escalates.map(named), layers: at(2)?.layers ?? [] },
    },
  ];
  for (const { step, waitMinutes, repeatCount, repeatMinutes, people, layers } of stored) {
    if (step > 2) steps.push({ wait: waitMinutes, repeats: repeatCount, every: repeatMinutes, people, layers });
  }
  const isEmpty = ({ people, layers }: StepRow) => people.length + layers.length === 0;
  while (steps.length > 1 && isEmpty(steps.at(-1) as StepRow)) steps.pop();
  return { steps };
}

const isWhole = (value: NumberValue, least: number, most: number): boolean => {
  const number = numberOf(value);
  return number !== null && Number.isInteger(number) && number >= least && number <= most;
};

/** Returns the problems of each step, by field. */
export function stepProblems(steps: readonly StepRow[]): StepProblems[] {
  return steps.map(({ wait, repeats, every, people, layers }, index) => ({
    ...(index > 0 && !isWhole(wait, 1, mostWaitMinutes) && { wait: 'Enter a whole number from 1 to 10,080.' }),
    ...(!isWhole(repeats, 0, mostRepeats) && { repeats: `Enter a whole number from 0 to ${mostRepeats}.` }),
    ...(!isWhole(every, 1, mostWaitMinutes) && { every: 'Enter a whole number from 1 to 10,080.' }),
    ...(people.length + layers.length === 0 && { recipients: 'Add a person or a rota, or remove the step.' }),
    ...(people.length + layers.length > mostStepRecipients && {
      recipients: `A step has at most ${mostStepRecipients} recipients. Remove some.`,
    }),
  }));
}

export function planProblem({ steps }: PlanValues): string | undefined {
  if (steps.length > mostSteps) return `A plan has at most ${mostSteps} steps. Remove some.`;
  const wrong = stepProblems(steps).flatMap((problems, index) => (Object.keys(problems).length > 0 ? [index + 1] : []));
  if (wrong.length === 0) return undefined;
  return wrong.length === 1 ? `Correct step ${wrong[0]}.` : `Correct the steps ${wrong.join(', ')}.`;
}

const uuids = (rows: readonly RecipientRow[]) => rows.map(({ uuid }) => uuid);
const minutes = (value: NumberValue) => numberOf(value) ?? 0;

/** Returns the whole rule alert with these steps, for saving. */
export function planInput(alert: RuleAlertRecord, { steps }: PlanValues, mark: string | undefined): RuleAlertInput {
  const values = ruleAlertValues(alert);
  const [first = newStep, second] = steps;
  const named = new Set(uuids(first.people));
  const known = new Set(values.people.map(({ userUuid }) => userUuid));
  const people = [
    ...values.people
      .map((person) => ({ ...person, isAlert: named.has(person.userUuid) }))
      .filter(({ isAlert, isResolve, isHealth }) => isAlert || isResolve || isHealth),
    ...first.people
      .filter(({ uuid }) => !known.has(uuid))
      .map(({ uuid, name }) => ({ userUuid: uuid, name, isAlert: true, isResolve: true, isHealth: false })),
  ];
  const escalation = second && {
    escalateMinutes: second.wait,
    escalateIntervalMinutes: second.every,
    escalateCount: minutes(second.repeats) + 1,
  };
  const escalates = (second?.people ?? []).map(({ uuid, name }) => ({ userUuid: uuid, name }));
  return {
    ...ruleAlertInput({ ...values, ...escalation, people, escalates }, alert.uuid, mark),
    steps: steps.map(({ wait, repeats, every, people: own, layers }, index) => ({
      layers: uuids(layers),
      ...(index > 1 && { waitMinutes: minutes(wait), people: uuids(own) }),
      ...(index !== 1 && { repeatCount: minutes(repeats), repeatMinutes: minutes(every) }),
    })),
  };
}

type RehearsalSteps = NonNullable<VariablesOf<typeof rehearsal>['steps']>;

/** Returns the steps for a rehearsal; null while a field is wrong. */
export function rehearsalSteps({ steps }: PlanValues): RehearsalSteps | null {
  if (steps.length > mostSteps) return null;
  const isWrong = stepProblems(steps).some(({ wait, repeats, every }) => wait ?? repeats ?? every);
  if (isWrong) return null;
  return steps.map(({ wait, repeats, every, people, layers }, index) => ({
    ...{ waitMinutes: index === 0 ? 0 : minutes(wait), repeatCount: minutes(repeats), repeatMinutes: minutes(every) },
    ...{ personUuids: uuids(people), layerUuids: uuids(layers) },
  }));
}
