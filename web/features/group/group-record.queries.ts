import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf } from '../../api/graphql.ts';
import { everyWord, rowsOf } from '../../kit/list/list.ts';
import type { Option, OptionSource } from '../../kit/record/Picker.tsx';

const groupRecord = graphql(`
  query GroupRecord($uuid: UUID!) {
    group(uuid: $uuid) {
      uuid
      name
      level
      status
      smsDayBudget
      smsMonthBudget
      updatedAt
    }
  }
`);

export type GroupRecord = NonNullable<ResultOf<typeof groupRecord>['group']>;

export async function fetchGroup(uuid: string, signal?: AbortSignal): Promise<GroupRecord | null> {
  return (await ask(groupRecord, { uuid }, signal)).group;
}

export function groupQuery(uuid: string) {
  return queryOptions({
    queryKey: ['group', 'record', uuid],
    queryFn: ({ signal }) => fetchGroup(uuid, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

const createGroup = graphql(`
  mutation CreateGroup($group: GroupInput!) {
    createGroup(input: { group: $group }) {
      group {
        uuid
        name
      }
    }
  }
`);
const updateGroup = graphql(`
  mutation UpdateGroup($uuid: UUID!, $patch: GroupPatch!) {
    updateGroup(input: { uuid: $uuid, patch: $patch }) {
      group {
        uuid
      }
    }
  }
`);
const deleteGroup = graphql(`
  mutation DeleteGroup($uuid: UUID!) {
    deleteGroup(input: { uuid: $uuid }) {
      group {
        uuid
      }
    }
  }
`);

export interface GroupBudget {
  smsDayBudget?: number | null;
  smsMonthBudget?: number | null;
}

export async function addGroup(
  group: { level: number; name: string; status?: boolean } & GroupBudget,
): Promise<Option> {
  const made = (await ask(createGroup, { group })).createGroup?.group;
  return { value: made?.uuid ?? '', label: made?.name ?? group.name };
}

/** Updates a group. Without `mark`, the server does not check for conflicting changes; bulk actions use this. */
export function changeGroup(uuid: string, patch: { name?: string; status?: boolean } & GroupBudget, mark?: string) {
  return ask(updateGroup, { uuid, patch: { ...patch, ...(mark === undefined ? {} : { updatedAt: mark }) } });
}

export function removeGroup(uuid: string) {
  return ask(deleteGroup, { uuid });
}

const groupOptions = graphql(`
  query GroupOptions($filter: CustomerGroupsRecordFilter!) {
    customerGroups(first: 50, filter: $filter) {
      nodes {
        uuid
        name
      }
    }
  }
`);

/** Returns the options of a picker: the active groups of one level, sorted by name. */
export function groupSource(level: number): OptionSource {
  return {
    key: ['group', level],
    find: async (text, signal) => {
      const filter = {
        and: [{ level: { equalTo: level }, status: { equalTo: true } }, ...everyWord(text, (word) => [{ name: word }])],
      };
      return rowsOf((await ask(groupOptions, { filter }, signal)).customerGroups).map((group) => ({
        value: group.uuid ?? '',
        label: group.name ?? '',
      }));
    },
  };
}
