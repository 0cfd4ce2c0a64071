import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf, type VariablesOf } from '../../../api/graphql.ts';
import { everyWord, pageOf, type RowOf, rowsOf, windowOf } from '../../../kit/list/list.ts';
import type { Option, OptionSource } from '../../../kit/record/Picker.tsx';
import type { ListDefaults, ListView } from '../../../ui/table/list-view.ts';

const reasonList = graphql(`
  query ReasonList($first: Int!, $offset: Int!, $filter: ReasonFilter!) {
    reasons(first: $first, offset: $offset, filter: $filter, orderBy: [RULE_UUID_ASC, PRIMARY_KEY_ASC]) {
      totalCount
      nodes {
        uuid
        reason
        isNuisance
        ruleAlert {
          tocsinRuleName
          site {
            name
          }
        }
        siteReasons(first: 0) {
          totalCount
        }
        userReasons(first: 0) {
          totalCount
        }
      }
    }
  }
`);

export type ReasonRow = RowOf<typeof reasonList, 'reasons'>;

export const reasonListDefaults: ListDefaults = {};

/** Fetches one page of reasons, grouped by rule alert. */
export function reasonListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['reason', 'list', view],
    queryFn: async ({ signal }) => {
      const conditions = everyWord(view.search, (word) => [
        { reason: word },
        { ruleAlert: { tocsinRuleName: word } },
        { ruleAlert: { site: { name: word } } },
      ]);
      return pageOf((await ask(reasonList, { ...windowOf(view), filter: { and: conditions } }, signal)).reasons);
    },
  });
}

const reasonRecord = graphql(`
  query ReasonRecord($uuid: UUID!) {
    reason(uuid: $uuid) {
      uuid
      reason
      isNuisance
      ruleUuid
      updatedAt
      ruleAlert {
        tocsinRuleName
        site {
          uuid
          name
        }
      }
      siteReasons(first: 200) {
        nodes {
          uuid
          site {
            uuid
            name
          }
        }
      }
      userReasons(first: 200) {
        nodes {
          uuid
          tocsinUserUuid
          personName
        }
      }
    }
  }
`);

export type ReasonRecord = NonNullable<ResultOf<typeof reasonRecord>['reason']>;

export async function readReason(uuid: string, signal?: AbortSignal): Promise<ReasonRecord | null> {
  return (await ask(reasonRecord, { uuid }, signal)).reason ?? null;
}

export function reasonRecordQuery(uuid: string) {
  return queryOptions({
    queryKey: ['reason', 'record', uuid],
    queryFn: ({ signal }) => readReason(uuid, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

const alertChoices = graphql(`
  query RuleAlertChoices($filter: RuleAlertFilter!) {
    ruleAlerts(first: 20, filter: $filter, orderBy: [TOCSIN_RULE_NAME_ASC]) {
      nodes {
        uuid
        tocsinRuleName
        site {
          name
        }
      }
    }
  }
`);

async function alertsBy(filter: VariablesOf<typeof alertChoices>['filter'], signal: AbortSignal): Promise<Option[]> {
  return rowsOf((await ask(alertChoices, { filter }, signal)).ruleAlerts).map((alert) => ({
    value: alert.uuid,
    label: alert.tocsinRuleName,
    note: alert.site?.name ?? '',
  }));
}

export const ruleAlertSource: OptionSource = {
  key: ['rule', 'alert-choices'],
  find: (text, signal) =>
    alertsBy({ and: everyWord(text, (word) => [{ tocsinRuleName: word }, { site: { name: word } }]) }, signal),
  named: async (uuid, signal) => (await alertsBy({ uuid: { equalTo: uuid } }, signal))[0] ?? null,
};

const createReason = graphql(`
  mutation CreateReason($reason: ReasonInput!) {
    createReason(input: { reason: $reason }) {
      reason {
        uuid
      }
    }
  }
`);

const updateReason = graphql(`
  mutation UpdateReason($uuid: UUID!, $patch: ReasonPatch!) {
    updateReason(input: { uuid: $uuid, patch: $patch }) {
      clientMutationId
    }
  }
`);

const deleteReason = graphql(`
  mutation DeleteReason($uuid: UUID!) {
    deleteReason(input: { uuid: $uuid }) {
      clientMutationId
    }
  }
`);

const linkSite = graphql(`
  mutation CreateSiteReason($link: SiteReasonInput!) {
    createSiteReason(input: { siteReason: $link }) {
      clientMutationId
    }
  }
`);

const unlinkSite = graphql(`
  mutation DeleteSiteReason($uuid: UUID!) {
    deleteSiteReason(input: { uuid: $uuid }) {
      clientMutationId
    }
  }
`);

const linkUser = graphql(`
  mutation CreateUserReason($link: UserReasonInput!) {
    createUserReason(input: { userReason: $link }) {
      clientMutationId
    }
  }
`);

const unlinkUser = graphql(`
  mutation DeleteUserReason($uuid: UUID!) {
    deleteUserReason(input: { uuid: $uuid }) {
      clientMutationId
    }
  }
`);

export type ReasonValues = {
  ruleUuid: string | null;
  reason: string;
  isNuisance: boolean;
  sites: Option[];
  people: Option[];
};

/**
 * Saves a reason and then its links to sites and users. For a new reason, calls `made` with its uuid before saving the
 * links. If saving the links fails, the next attempt then does not create a second reason.
 */
export async function saveReason(
  values: ReasonValues,
  mark: string | undefined,
  stored: ReasonRecord | null,
  made: (uuid: string) => void,
): Promise<void> {
  const reason = values.reason.trim();
  const { isNuisance } = values;
  let uuid = stored?.uuid;
  if (uuid === undefined) {
    const answer = await ask(createReason, { reason: { ruleUuid: values.ruleUuid ?? '', reason, isNuisance } });
    uuid = answer.createReason?.reason?.uuid ?? '';
    made(uuid);
  } else {
    await ask(updateReason, { uuid, patch: { reason, isNuisance, ...(mark && { updatedAt: mark }) } });
  }
  const sites = rowsOf(stored?.siteReasons);
  for (const link of sites) {
    if (!values.sites.some(({ value }) => value === link.site?.uuid)) await ask(unlinkSite, { uuid: link.uuid });
  }
  for (const { value } of values.sites) {
    if (sites.some((link) => link.site?.uuid === value)) continue;
    await ask(linkSite, { link: { tocsinReasonUuid: uuid, tocsinSiteUuid: value } });
  }
  const people = rowsOf(stored?.userReasons);
  for (const link of people) {
    if (!values.people.some(({ value }) => value === link.tocsinUserUuid)) await ask(unlinkUser, { uuid: link.uuid });
  }
  const site = (stored ?? (await readReason(uuid)))?.ruleAlert?.site?.uuid ?? '';
  for (const { value } of values.people) {
    if (people.some((link) => link.tocsinUserUuid === value)) continue;
    await ask(linkUser, { link: { tocsinReasonUuid: uuid, tocsinUserUuid: value, tocsinSiteUuid: site } });
  }
}

export async function removeReason(uuid: string): Promise<void> {
  await ask(deleteReason, { uuid });
}

export async function forgetReasons(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['reason'] }),
    client.invalidateQueries({ queryKey: ['rule'] }),
  ]);
}
