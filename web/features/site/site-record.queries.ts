import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts';
import { causeFields } from '../dependency/index.ts';

const siteRecord = graphql(
  `
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
          quietBecause
        }
      }
      causes(first: 20) {
        nodes {
          ...CauseFields
        }
      }
    }
  }
`,
  [causeFields],
);

export type SiteRecord = NonNullable<ResultOf<typeof siteRecord>['site']>;

export async function fetchSite(uuid: string, signal?: AbortSignal): Promise<SiteRecord | null> {
  return (await ask(siteRecord, { uuid }, signal)).site;
}

export function siteQuery(uuid: string) {
  return queryOptions({
    queryKey: ['site', 'record', uuid],
    queryFn: ({ signal }) => fetchSite(uuid, signal),
    // Always refetches, because a form must start with the stored values, not with cached ones.
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

/** Saves a site with its links to users and reasons in one transaction. Returns the site's uuid. */
export async function saveSite(input: SiteInput): Promise<string> {
  return (await ask(saveSiteMutation, { input })).saveSite?.site?.uuid ?? '';
}

/** Changes fields of a site without checking for conflicting changes. Used by bulk actions. */
export function changeSite(uuid: string, patch: Partial<SiteFields>) {
  return ask(updateSite, { uuid, patch });
}

export function removeSite(uuid: string) {
  return ask(deleteSite, { uuid });
}

/**
 * Copies a site with its assets, rules and people. The copy gets its own sensors, with new UIDs and without tokens.
 * Returns the copy's uuid.
 */
export async function copyOfSite(uuid: string, siteId: string, name: string): Promise<string> {
  return (await ask(copySite, { uuid, siteId, name })).copySite?.site?.uuid ?? '';
}
