import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type VariablesOf } from '../../../api/graphql.ts';
import { userChoiceSource } from '../../../kit/choices/choices.queries.ts';
import type { OptionSource } from '../../../kit/record/Picker.tsx';
import { type RuleAlertRecord, readRuleAlert } from '../alert/rule-alert.queries.ts';
import { readSteps, type StoredStep } from '../alert/steps.queries.ts';

export async function readPlan(
  uuid: string,
  signal?: AbortSignal,
): Promise<{ alert: RuleAlertRecord; steps: StoredStep[] } | null> {
  const [alert, steps] = await Promise.all([readRuleAlert(uuid, signal), readSteps(uuid, signal)]);
  return alert && { alert, steps };
}

export function planQuery(uuid: string) {
  return queryOptions({
    queryKey: ['rule', 'plan', uuid],
    queryFn: ({ signal }) => readPlan(uuid, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

const layersNow = graphql(`
  query PlanLayers {
    onCallRotas {
      rotaName
      layers {
        layerUuid
        layerName
        state
        personName
        until
      }
    }
  }
`);

/** Fetches the layers of all rotas, with who is on call now. */
export const layersNowQuery = queryOptions({
  queryKey: ['on-call', 'plan-layers'],
  queryFn: async ({ signal }) =>
    ((await ask(layersNow, {}, signal)).onCallRotas ?? []).flatMap(({ rotaName, layers }) =>
      layers.map((layer) => ({ ...layer, uuid: layer.layerUuid, name: `${rotaName}, ${layer.layerName}` })),
    ),
});

export type LayerNow = Awaited<ReturnType<NonNullable<typeof layersNowQuery.queryFn>>>[number];

/** Finds rotas and people. The values of rotas begin with "rota ". */
export const recipientSource: OptionSource = {
  key: ['on-call', 'step-recipients'],
  find: async (text, signal) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const [{ onCallRotas }, people] = await Promise.all([
      ask(layersNow, {}, signal),
      userChoiceSource.find(text, signal),
    ]);
    const layers = (onCallRotas ?? []).flatMap(({ rotaName, layers }) =>
      layers.map(({ layerUuid, layerName, personName }) => ({
        ...{ value: `rota ${layerUuid}`, label: `${rotaName}, ${layerName}` },
        note: personName ? `Rota, now ${personName}` : 'Rota',
      })),
    );
    return [...layers.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word))), ...people];
  },
};

export const rehearsal = graphql(`
  query RehearsePlan($steps: [RehearsalStepInput!], $at: Datetime) {
    rehearsePlan(steps: $steps, at: $at) {
      at
      notifications {
        at
        step
        repeat
        personUuid
        personName
        onCallFor
        methodTypes
        problems
      }
      gaps {
        at
        step
        onCallFor
        isSkipped
      }
    }
  }
`);

type Steps = VariablesOf<typeof rehearsal>['steps'];

export function rehearsalQuery(steps: Steps | null, at: string | null) {
  return queryOptions({
    queryKey: ['rule', 'rehearsal', steps, at],
    queryFn: async ({ signal }) => (await ask(rehearsal, { steps, at }, signal)).rehearsePlan,
    enabled: steps !== null && at !== null,
    placeholderData: (before) => before,
  });
}

export type Rehearsed = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof rehearsalQuery>['queryFn']>>>>;
