import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type VariablesOf } from '../../api/graphql.ts';
import { everyWord, rowsOf } from '../list/list.ts';
import type { Option, OptionSource } from '../record/Picker.tsx';
import { findDatapoints } from './find-datapoints.queries.ts';
import { fetchUnreachedPeople } from './people-reach.queries.ts';
import { findUser, findUsers } from './user-options.queries.ts';

const siteChoices = graphql(`
  query SiteChoices($filter: SiteFilter!) {
    sites(first: 20, filter: $filter, orderBy: [NAME_ASC]) {
      nodes {
        uuid
        name
        siteId
      }
    }
  }
`);

type SiteRow = { uuid: string; name: string; siteId: string };
const siteOption = ({ uuid, name, siteId }: SiteRow): Option => ({ value: uuid, label: name, note: siteId });
const siteIdOption = ({ name, siteId }: SiteRow): Option => ({ value: siteId, label: name, note: siteId });

async function findSites(text: string, signal: AbortSignal) {
  const filter = { and: everyWord(text, (word) => [{ name: word }, { siteId: word }]) };
  return rowsOf((await ask(siteChoices, { filter }, signal)).sites);
}

export const siteChoiceSource: OptionSource = {
  key: ['site', 'choices'],
  find: async (text, signal) => (await findSites(text, signal)).map(siteOption),
  named: async (uuid, signal) => {
    const [site] = rowsOf((await ask(siteChoices, { filter: { uuid: { equalTo: uuid } } }, signal)).sites);
    return site ? siteOption(site) : null;
  },
};

/** Finds sites by their site ID, for records that refer to a site by its ID instead of its uuid. */
export const siteIdSource: OptionSource = {
  key: ['site', 'id-choices'],
  find: async (text, signal) => (await findSites(text, signal)).map(siteIdOption),
  named: async (siteId, signal) => {
    const [site] = rowsOf((await ask(siteChoices, { filter: { siteId: { equalTo: siteId } } }, signal)).sites);
    return site ? siteIdOption(site) : null;
  },
};

/** Returns a source for the data points of one site, or of all sites if `site` is undefined. */
export function datapointSourceAt(site: string | undefined): OptionSource {
  return {
    key: ['datapoint', 'choices', site],
    find: async (text, signal) =>
      (await findDatapoints(text, signal, site)).map((row) => ({
        value: row.uuid,
        label: datapointLabel(row.asset?.name, row.tocsinDatapointName, row.uom),
        note: row.asset?.site?.name ?? '',
      })),
  };
}

export const datapointSource = datapointSourceAt(undefined);

/** Fetches the uuid of a site's only data point; null if the site has none or several. */
export function onlyDatapointQuery(site: string | undefined) {
  return queryOptions({
    queryKey: ['datapoint', 'only', site],
    queryFn: async ({ signal }) => {
      const [one, ...others] = await findDatapoints('', signal, site);
      return one && others.length === 0 ? one.uuid : null;
    },
    enabled: site !== undefined,
    staleTime: 0,
  });
}

export function datapointLabel(asset: string | undefined, name: string, unit: string): string {
  return `${[asset, name].filter(Boolean).join(', ')}${unit === '' ? '' : ` (${unit})`}`;
}

/**
 * Finds the users whom the signed-in user is allowed to choose. Disabled users cannot be chosen; the server would
 * refuse them too.
 */
export const userChoiceSource: OptionSource = {
  key: ['user', 'choices'],
  find: async (text, signal) => withReach(await findUsers(text, signal), signal),
  named: async (uuid, signal) => {
    const user = await findUser(uuid, signal);
    return user ? ((await withReach([user], signal))[0] ?? null) : null;
  },
};

async function withReach(users: Awaited<ReturnType<typeof findUsers>>, signal: AbortSignal): Promise<Option[]> {
  const unreached = await fetchUnreachedPeople(
    users.map(({ uuid }) => uuid),
    signal,
  );
  return users.map(({ uuid, displayName, email, status }) => ({
    value: uuid,
    label: displayName,
    note: unreached.get(uuid) ?? email,
    disabled: !status,
  }));
}

const assetChoices = graphql(`
  query AssetChoices($filter: AssetFilter!) {
    assets(first: 20, filter: $filter, orderBy: [NAME_ASC]) {
      nodes {
        uuid
        name
        site {
          name
        }
      }
    }
  }
`);

async function assetsBy(filter: VariablesOf<typeof assetChoices>['filter'], signal: AbortSignal): Promise<Option[]> {
  return rowsOf((await ask(assetChoices, { filter }, signal)).assets).map(({ uuid, name, site }) => ({
    value: uuid,
    label: name,
    note: site?.name ?? '',
  }));
}

export const assetChoiceSource: OptionSource = {
  key: ['asset', 'choices'],
  find: (text, signal) =>
    assetsBy({ and: everyWord(text, (word) => [{ name: word }, { site: { name: word } }]) }, signal),
  named: async (uuid, signal) => (await assetsBy({ uuid: { equalTo: uuid } }, signal))[0] ?? null,
};
