import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { everyWord, rowsOf } from '../list/list.ts';
import type { Choice } from '../record/RecordSelect.tsx';

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

export function siteChoicesQuery(search: string) {
  return queryOptions({
    queryKey: ['site', 'choices', search] as readonly unknown[],
    queryFn: async ({ signal }): Promise<Choice[]> => {
      const filter = { and: everyWord(search, (word) => [{ name: word }, { siteId: word }]) };
      return rowsOf((await ask(siteChoices, { filter }, signal)).sites).map(({ uuid, name, siteId }) => ({
        value: uuid,
        label: name,
        note: siteId,
      }));
    },
    staleTime: 30_000,
  });
}

/** One site as a choice, by its key. */
export function siteChoiceQuery(uuid: string | null) {
  return queryOptions({
    queryKey: ['site', 'choice', uuid],
    queryFn: async ({ signal }): Promise<Choice | null> => {
      const filter = { uuid: { equalTo: uuid ?? '' } };
      const [site] = rowsOf((await ask(siteChoices, { filter }, signal)).sites);
      return site ? { value: site.uuid, label: site.name, note: site.siteId } : null;
    },
    enabled: uuid !== null,
    staleTime: 30_000,
  });
}

/** Sites by the ID that people gave them, where that is what a record keeps. */
export function siteIdChoicesQuery(search: string) {
  return queryOptions({
    queryKey: ['site', 'id-choices', search] as readonly unknown[],
    queryFn: async ({ signal }): Promise<Choice[]> => {
      const filter = { and: everyWord(search, (word) => [{ name: word }, { siteId: word }]) };
      return rowsOf((await ask(siteChoices, { filter }, signal)).sites).map(({ name, siteId }) => ({
        value: siteId,
        label: name,
        note: siteId,
      }));
    },
    staleTime: 30_000,
  });
}

const datapointChoices = graphql(`
  query DatapointChoices($filter: AssetDatapointFilter!) {
    assetDatapoints(first: 20, filter: $filter, orderBy: [TOCSIN_DATAPOINT_NAME_ASC, PRIMARY_KEY_ASC]) {
      nodes {
        uuid
        tocsinDatapointName
        uom
        asset {
          name
          site {
            name
          }
        }
      }
    }
  }
`);

/** Data points of one site, or of all. */
export function datapointChoicesQuery(search: string, siteUuid?: string) {
  return queryOptions({
    queryKey: ['datapoint', 'choices', siteUuid ?? '', search] as readonly unknown[],
    queryFn: async ({ signal }): Promise<Choice[]> => {
      const words = everyWord(search, (word) => [
        { tocsinDatapointName: word },
        { asset: { name: word } },
        { asset: { site: { name: word } } },
      ]);
      const filter = { and: [...words, ...(siteUuid ? [{ asset: { tocsinSiteUuid: { equalTo: siteUuid } } }] : [])] };
      return rowsOf((await ask(datapointChoices, { filter }, signal)).assetDatapoints).map((row) => ({
        value: row.uuid,
        label: datapointLabel(row.asset?.name, row.tocsinDatapointName, row.uom),
        note: row.asset?.site?.name ?? '',
      }));
    },
    staleTime: 30_000,
  });
}

export function datapointLabel(asset: string | undefined, name: string, unit: string): string {
  return `${[asset, name].filter(Boolean).join(', ')}${unit === '' ? '' : ` (${unit})`}`;
}

const userChoices = graphql(`
  query UserChoices($filter: UserFilter!) {
    users(first: 20, filter: $filter, orderBy: [DISPLAY_NAME_ASC]) {
      nodes {
        uuid
        displayName
        email
      }
    }
  }
`);

/** People whom the person who asks may see. */
export function userChoicesQuery(search: string) {
  return queryOptions({
    queryKey: ['user', 'choices', search] as readonly unknown[],
    queryFn: async ({ signal }): Promise<Choice[]> => {
      const filter = { and: everyWord(search, (word) => [{ displayName: word }]) };
      return rowsOf((await ask(userChoices, { filter }, signal)).users).map(({ uuid, displayName, email }) => ({
        value: uuid,
        label: displayName,
        note: email,
      }));
    },
    staleTime: 30_000,
  });
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

export function assetChoicesQuery(search: string) {
  return queryOptions({
    queryKey: ['asset', 'choices', search] as readonly unknown[],
    queryFn: async ({ signal }): Promise<Choice[]> => {
      const filter = { and: everyWord(search, (word) => [{ name: word }, { site: { name: word } }]) };
      return rowsOf((await ask(assetChoices, { filter }, signal)).assets).map(({ uuid, name, site }) => ({
        value: uuid,
        label: name,
        note: site?.name ?? '',
      }));
    },
    staleTime: 30_000,
  });
}

const ruleNames = graphql(`
  query RuleNamesOfSite($site: UUID!) {
    rules(first: 200, filter: { tocsinSiteUuid: { equalTo: $site } }, orderBy: [NAME_ASC]) {
      nodes {
        name
      }
    }
    rulesJsons(first: 200, filter: { site: { uuid: { equalTo: $site } } }, orderBy: [RULE_NAME_ASC]) {
      nodes {
        ruleName
      }
    }
    ruleAlerts(first: 200, filter: { tocsinSiteUuid: { equalTo: $site } }) {
      nodes {
        tocsinRuleName
      }
    }
  }
`);

/** The names of a site's rules, and which of them people are joined to already. */
export function ruleNamesQuery(siteUuid: string | null) {
  return queryOptions({
    queryKey: ['rule', 'names', siteUuid],
    queryFn: async ({ signal }) => {
      const found = await ask(ruleNames, { site: siteUuid ?? '' }, signal);
      const names = [
        ...rowsOf(found.rules).map(({ name }) => name),
        ...rowsOf(found.rulesJsons).map(({ ruleName }) => ruleName),
      ];
      return {
        names: [...new Set(names)].sort((one, other) => one.localeCompare(other)),
        joined: new Set(rowsOf(found.ruleAlerts).map(({ tocsinRuleName }) => tocsinRuleName)),
      };
    },
    enabled: siteUuid !== null,
  });
}
