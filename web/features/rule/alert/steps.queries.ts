import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../../api/graphql.ts';
import { rowsOf } from '../../../kit/list/list.ts';

const storedSteps = graphql(`
  query PlanSteps($alert: UUID!) {
    ruleSteps(first: 10, filter: { tocsinRuleAlertUuid: { equalTo: $alert } }) {
      nodes {
        step
        waitMinutes
        repeatCount
        repeatMinutes
      }
    }
    ruleStepRecipients(first: 500, filter: { tocsinRuleAlertUuid: { equalTo: $alert } }) {
      nodes {
        step
        tocsinUserUuid
        tocsinRotaLayerUuid
        name
      }
    }
  }
`);

export interface StoredStep {
  step: number;
  waitMinutes: number;
  repeatCount: number;
  repeatMinutes: number;
  people: { uuid: string; name: string }[];
  layers: { uuid: string; name: string }[];
}

/** Reads what the plan of a rule alert has beyond the fields of the rule alert, in order. */
export async function readSteps(alert: string, signal?: AbortSignal): Promise<StoredStep[]> {
  const { ruleSteps, ruleStepRecipients } = await ask(storedSteps, { alert }, signal);
  const steps = new Map<number, StoredStep>();
  const at = (step: number): StoredStep => {
    const known = steps.get(step) ?? {
      ...{ step, waitMinutes: 0, repeatCount: 0, repeatMinutes: 15 },
      ...{ people: [], layers: [] },
    };
    steps.set(step, known);
    return known;
  };
  for (const row of rowsOf(ruleSteps)) Object.assign(at(row.step), row);
  for (const { step, tocsinUserUuid, tocsinRotaLayerUuid, name } of rowsOf(ruleStepRecipients)) {
    if (tocsinUserUuid) at(step).people.push({ uuid: tocsinUserUuid, name: name ?? '' });
    if (tocsinRotaLayerUuid) at(step).layers.push({ uuid: tocsinRotaLayerUuid, name: name ?? '' });
  }
  return [...steps.values()].sort((one, other) => one.step - other.step);
}

export function stepsQuery(uuid: string | undefined) {
  return queryOptions({
    queryKey: ['rule', 'plan-steps', uuid],
    queryFn: ({ signal }) => readSteps(uuid ?? '', signal),
    enabled: uuid !== undefined,
  });
}
