import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts';

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

const saveSiteMutation = graphql(`
  mutation SaveSite($input: SaveSiteInput!) {
    saveSite(input: $input) {
      site {
        uuid
      }
    }
  }
`);
const updateSite = graphql(`
  mutation UpdateSite($uuid: UUID!, $patch: SitePatch!) {
    updateSite(input: { uuid: $uuid, patch: $patch }) {
      site {
        uuid
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

export type SiteInput = VariablesOf<typeof saveSiteMutation>['input'];
export type SiteFields = SiteInput['site'];

/** A site with the links to its users and reasons: all of it is saved, or nothing. Returns its key. */
export async function saveSite(input: SiteInput): Promise<string> {
  return (await ask(saveSiteMutation, { input })).saveSite?.site?.uuid ?? '';
}

/** Changes it whatever others did: for one field of many sites at once. */
export function changeSite(uuid: string, patch: Partial<SiteFields>) {
  return ask(updateSite, { uuid, patch });
}

export function removeSite(uuid: string) {
  return ask(deleteSite, { uuid });
}

/** A new site with everything under the other one: assets, sensors, rules and people. Answers its key. */
export async function copyOfSite(uuid: string, siteId: string, name: string): Promise<string> {
  return (await ask(copySite, { uuid, siteId, name })).copySite?.site?.uuid ?? '';
}
