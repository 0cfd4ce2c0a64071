import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts';
import { everyWord, rowsOf } from '../list/list.ts';
import { linkChanges } from '../record/links.ts';
import type { Option, OptionSource } from '../record/Picker.tsx';

const siteRecord = graphql(`
  query SiteRecord($uuid: UUID!) {
    site(uuid: $uuid) {
      uuid
      name
      siteId
      siteType
      siteCategory
      location
      address
      description
      phoneNumber
      gsmProvider
      gsmSignalStrength
      tocsinHealthDurationHours
      siteStatus
      lastUpdate
      lastUpdated
      group2 {
        uuid
        name
      }
      group3 {
        uuid
        name
      }
      group4 {
        uuid
        name
      }
      group5 {
        uuid
        name
      }
      siteUsers(first: 500) {
        nodes {
          uuid
          tocsinUserUuid
          user {
            displayName
          }
        }
      }
      siteReasons(first: 500) {
        nodes {
          uuid
          tocsinReasonUuid
          reason {
            reason
          }
        }
      }
      ruleAlerts(first: 200) {
        nodes {
          uuid
          tocsinRuleName
          reasons(first: 100) {
            nodes {
              uuid
              reason
            }
          }
        }
      }
      alarms(first: 20, filter: { resolvedDate: { isNull: true } }) {
        nodes {
          severity
          reason
        }
      }
    }
  }
`);

export type SiteRecord = NonNullable<ResultOf<typeof siteRecord>['site']>;

export async function fetchSite(uuid: string, signal?: AbortSignal): Promise<SiteRecord | null> {
  return (await ask(siteRecord, { uuid }, signal)).site;
}

export function siteQuery(uuid: string) {
  return queryOptions({
    queryKey: ['site', 'record', uuid],
    queryFn: ({ signal }) => fetchSite(uuid, signal),
    // A form begins with what is stored now, not with what was stored a while ago.
    staleTime: 0,
    gcTime: 0,
  });
}

const createSite = graphql(`
  mutation CreateSite($site: SiteInput!) {
    createSite(input: { site: $site }) {
      site {
        uuid
        lastUpdated
      }
    }
  }
`);
const updateSite = graphql(`
  mutation UpdateSite($uuid: UUID!, $patch: SitePatch!) {
    updateSite(input: { uuid: $uuid, patch: $patch }) {
      site {
        uuid
        lastUpdated
      }
    }
  }
`);
const deleteSite = graphql(`
  mutation DeleteSite($uuid: UUID!) {
    deleteSite(input: { uuid: $uuid }) {
      site {
        uuid
      }
    }
  }
`);
const copySite = graphql(`
  mutation CopySite($uuid: UUID!, $siteId: String!, $name: String!) {
    copySite(input: { uuid: $uuid, siteId: $siteId, name: $name }) {
      site {
        uuid
      }
    }
  }
`);

export type SiteFields = VariablesOf<typeof createSite>['site'];

/** A site that is stored: its key, and the mark by which the server knows whether it changed since. */
export interface StoredSite {
  uuid: string;
  mark: string;
}

export async function addSite(site: SiteFields): Promise<StoredSite> {
  return stored((await ask(createSite, { site })).createSite?.site);
}

/** Without a mark it is changed whatever others did: for one field of many sites at once. */
export async function changeSite(uuid: string, patch: Partial<SiteFields>, mark?: string): Promise<StoredSite> {
  const variables = { uuid, patch: { ...patch, ...(mark === undefined ? {} : { lastUpdated: mark }) } };
  return stored((await ask(updateSite, variables)).updateSite?.site);
}

export function removeSite(uuid: string) {
  return ask(deleteSite, { uuid });
}

/** A new site with everything under the other one: assets, sensors, rules and people. Answers its key. */
export async function copyOfSite(uuid: string, siteId: string, name: string): Promise<string> {
  return (await ask(copySite, { uuid, siteId, name })).copySite?.site?.uuid ?? '';
}

function stored(site: { uuid: string; lastUpdated: string } | null | undefined): StoredSite {
  return { uuid: site?.uuid ?? '', mark: site?.lastUpdated ?? '' };
}

const siteLinks = graphql(`
  query SiteLinks($uuid: UUID!) {
    site(uuid: $uuid) {
      siteUsers(first: 500) {
        nodes {
          uuid
          tocsinUserUuid
        }
      }
      siteReasons(first: 500) {
        nodes {
          uuid
          tocsinReasonUuid
        }
      }
    }
  }
`);
const createSiteUser = graphql(`
  mutation LinkUserToSite($link: SiteUserInput!) {
    createSiteUser(input: { siteUser: $link }) {
      siteUser {
        uuid
      }
    }
  }
`);
const deleteSiteUser = graphql(`
  mutation UnlinkUserFromSite($uuid: UUID!) {
    deleteSiteUser(input: { uuid: $uuid }) {
      siteUser {
        uuid
      }
    }
  }
`);
const createSiteReason = graphql(`
  mutation LinkReasonToSite($link: SiteReasonInput!) {
    createSiteReason(input: { siteReason: $link }) {
      siteReason {
        uuid
      }
    }
  }
`);
const deleteSiteReason = graphql(`
  mutation UnlinkReasonFromSite($uuid: UUID!) {
    deleteSiteReason(input: { uuid: $uuid }) {
      siteReason {
        uuid
      }
    }
  }
`);

export interface SiteLinks {
  users: readonly Option[];
  reasons: readonly Option[];
}

/** Brings what was linked and taken off to the server. It may be called again after half of it failed. */
export async function changeLinks(tocsinSiteUuid: string, before: SiteLinks, after: SiteLinks): Promise<void> {
  const { site } = await ask(siteLinks, { uuid: tocsinSiteUuid });
  const users = linkChanges(
    before.users,
    after.users,
    rowsOf(site?.siteUsers).map((link) => ({ uuid: link.uuid, target: link.tocsinUserUuid })),
  );
  for (const uuid of users.remove) await ask(deleteSiteUser, { uuid });
  for (const tocsinUserUuid of users.add) await ask(createSiteUser, { link: { tocsinSiteUuid, tocsinUserUuid } });
  const reasons = linkChanges(
    before.reasons,
    after.reasons,
    rowsOf(site?.siteReasons).map((link) => ({ uuid: link.uuid, target: link.tocsinReasonUuid })),
  );
  for (const uuid of reasons.remove) await ask(deleteSiteReason, { uuid });
  for (const tocsinReasonUuid of reasons.add)
    await ask(createSiteReason, { link: { tocsinSiteUuid, tocsinReasonUuid } });
}

const siteOptions = graphql(`
  query SiteOptions($filter: SiteFilter!) {
    sites(first: 30, filter: $filter, orderBy: [NAME_ASC]) {
      nodes {
        uuid
        name
        siteId
      }
    }
  }
`);

export function siteOption(site: { uuid: string; name: string; siteId: string }): Option {
  return { value: site.uuid, label: `${site.name}, ${site.siteId}` };
}

/** The sites to choose from, by name or ID. */
export const siteSource: OptionSource = {
  key: ['site'],
  find: async (text, signal) => {
    const filter = { and: everyWord(text, (word) => [{ name: word }, { siteId: word }]) };
    return rowsOf((await ask(siteOptions, { filter }, signal)).sites).map(siteOption);
  },
};
