import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { rowsOf } from '../list/list.ts';
import type { Begun } from './first-steps.ts';

/** One row of each: a count would have to look at all of them. */
const begunQuery = graphql(`
  query FirstSteps($level: Int!) {
    sites(first: 1) {
      nodes {
        uuid
      }
    }
    sensors(first: 1) {
      nodes {
        uuid
      }
    }
    assets(first: 1) {
      nodes {
        uuid
      }
    }
    assetDatapoints(first: 1) {
      nodes {
        uuid
      }
    }
    rules(first: 1) {
      nodes {
        uuid
      }
    }
    users(filter: { level: { greaterThan: $level } }, first: 1) {
      nodes {
        uuid
      }
    }
    ruleAlerts(first: 1) {
      nodes {
        uuid
      }
    }
  }
`);

/** What the plant of a person of this level has already. */
export const firstStepsQuery = (level: number) =>
  queryOptions({
    queryKey: ['first-steps', level],
    queryFn: async ({ signal }): Promise<Begun> => {
      const found = await ask(begunQuery, { level }, signal);
      const some = (list: Parameters<typeof rowsOf>[0]) => rowsOf(list).length > 0;
      return {
        sites: some(found.sites),
        sensors: some(found.sensors),
        assets: some(found.assets),
        datapoints: some(found.assetDatapoints),
        rules: some(found.rules),
        users: some(found.users),
        ruleAlerts: some(found.ruleAlerts),
      };
    },
    staleTime: 60_000,
  });
