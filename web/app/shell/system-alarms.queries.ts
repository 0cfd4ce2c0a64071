import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';

const openSystemAlarms = graphql(`
  query OpenSystemAlarms {
    openSystemAlarms {
      nodes {
        uuid
        sentence
        openedOn
      }
    }
  }
`);

export interface SystemAlarm {
  uuid: string;
  sentence: string;
  openedOn: string;
}

/** Fetches the open system alarms; none if the user is not an owner. */
export const openSystemAlarmsQuery = queryOptions({
  queryKey: ['system-alarms', 'open'],
  queryFn: async ({ signal }): Promise<SystemAlarm[]> => {
    const nodes = (await ask(openSystemAlarms, {}, signal)).openSystemAlarms?.nodes ?? [];
    return nodes.flatMap((node) =>
      node?.uuid && node.sentence && node.openedOn
        ? [{ uuid: node.uuid, sentence: node.sentence, openedOn: node.openedOn }]
        : [],
    );
  },
  refetchInterval: 30_000,
});
