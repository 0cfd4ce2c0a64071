import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts';
import { rowsOf } from '../list/list.ts';
import { linkChanges } from '../record/links.ts';
import type { Option } from '../record/Picker.tsx';

const userRecord = graphql(`
  query UserRecord($uuid: UUID!) {
    user(uuid: $uuid) {
      uuid
      displayName
      username
      email
      phoneNumber
      level
      status
      varified
      tocsinPartnerAccount
      emailNotification
      smsNotification
      whatsappNotification
      appsNotification
      createdAt
      updatedAt
      siteUsers(first: 500) {
        nodes {
          uuid
          tocsinSiteUuid
          site {
            uuid
            name
            siteId
          }
        }
      }
    }
  }
`);

export type UserRecord = NonNullable<ResultOf<typeof userRecord>['user']>;

export async function fetchUser(uuid: string, signal?: AbortSignal): Promise<UserRecord | null> {
  return (await ask(userRecord, { uuid }, signal)).user;
}

export function userQuery(uuid: string) {
  return queryOptions({
    queryKey: ['user', 'record', uuid],
    queryFn: ({ signal }) => fetchUser(uuid, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

const createUser = graphql(`
  mutation CreateUser($user: UserInput!) {
    createUser(input: { user: $user }) {
      user {
        uuid
        updatedAt
      }
    }
  }
`);
const updateUser = graphql(`
  mutation UpdateUser($uuid: UUID!, $patch: UserPatch!) {
    updateUser(input: { uuid: $uuid, patch: $patch }) {
      user {
        uuid
        updatedAt
      }
    }
  }
`);
const deleteUser = graphql(`
  mutation DeleteUser($uuid: UUID!) {
    deleteUser(input: { uuid: $uuid }) {
      user {
        uuid
      }
    }
  }
`);

/** Codes and passwords are the server's own affair: there is no way to send one from here. */
export type UserFields = Omit<VariablesOf<typeof createUser>['user'], 'otp' | 'password' | 'varified'>;

export interface StoredUser {
  uuid: string;
  mark: string;
}

/** The server sends the invitation by itself. */
export async function addUser(user: UserFields): Promise<StoredUser> {
  return stored((await ask(createUser, { user })).createUser?.user);
}

/** Without a mark it is changed whatever others did: for one field of many people at once. */
export async function changeUser(uuid: string, patch: Partial<UserFields>, mark?: string): Promise<StoredUser> {
  const variables = { uuid, patch: { ...patch, ...(mark === undefined ? {} : { updatedAt: mark }) } };
  return stored((await ask(updateUser, variables)).updateUser?.user);
}

export function removeUser(uuid: string) {
  return ask(deleteUser, { uuid });
}

function stored(user: { uuid: string; updatedAt: string } | null | undefined): StoredUser {
  return { uuid: user?.uuid ?? '', mark: user?.updatedAt ?? '' };
}

const userLinks = graphql(`
  query UserLinks($uuid: UUID!) {
    user(uuid: $uuid) {
      siteUsers(first: 500) {
        nodes {
          uuid
          tocsinSiteUuid
        }
      }
    }
  }
`);
const linkSite = graphql(`
  mutation LinkSiteToUser($link: SiteUserInput!) {
    createSiteUser(input: { siteUser: $link }) {
      siteUser {
        uuid
      }
    }
  }
`);
const unlinkSite = graphql(`
  mutation UnlinkSiteFromUser($uuid: UUID!) {
    deleteSiteUser(input: { uuid: $uuid }) {
      siteUser {
        uuid
      }
    }
  }
`);

/** Brings the sites that were linked and taken off to the server. It may be called again after half of it failed. */
export async function changeSites(tocsinUserUuid: string, before: readonly Option[], after: readonly Option[]) {
  const { user } = await ask(userLinks, { uuid: tocsinUserUuid });
  const links = rowsOf(user?.siteUsers).map((link) => ({ uuid: link.uuid, target: link.tocsinSiteUuid }));
  const { add, remove } = linkChanges(before, after, links);
  for (const uuid of remove) await ask(unlinkSite, { uuid });
  for (const tocsinSiteUuid of add) await ask(linkSite, { link: { tocsinSiteUuid, tocsinUserUuid } });
}

const resendInvitation = graphql(`
  mutation ResendInvitation($uuid: UUID!) {
    resendInvitation(input: { tocsinUserUuid: $uuid }) {
      clientMutationId
    }
  }
`);

export function inviteAgain(uuid: string) {
  return ask(resendInvitation, { uuid });
}

const userSessions = graphql(`
  query UserSessions($uuid: UUID!) {
    userSessions(tocsinUserUuid: $uuid, first: 100) {
      nodes {
        createdAt
        lastSeenAt
        address
        userAgent
      }
    }
  }
`);
const endUserSessions = graphql(`
  mutation EndUserSessions($uuid: UUID!) {
    endUserSessions(input: { tocsinUserUuid: $uuid }) {
      endedCount
    }
  }
`);

export function sessionsQuery(uuid: string) {
  return queryOptions({
    queryKey: ['user', 'sessions', uuid],
    queryFn: async ({ signal }) => rowsOf((await ask(userSessions, { uuid }, signal)).userSessions),
    staleTime: 0,
  });
}

export async function endSessions(uuid: string): Promise<number> {
  return (await ask(endUserSessions, { uuid })).endUserSessions?.endedCount ?? 0;
}

const sendTestMessage = graphql(`
  mutation SendTestMessage($uuid: UUID!, $methodType: Int!) {
    sendTestMessage(input: { tocsinUserUuid: $uuid, methodType: $methodType }) {
      notificationUuid
    }
  }
`);
const testMessage = graphql(`
  query TestMessage($uuid: UUID!) {
    notification(uuid: $uuid) {
      methodType
      kind
      step
      state
      attempts
      notifyTime
      nextAttemptAt
      sentAt
      deliveredAt
      failedAt
      provider
      providerAnswer
      attemptLog
    }
  }
`);

/** Tries one way to reach somebody. Answers the message's key, by which its fate can be followed. */
export async function tryChannel(uuid: string, methodType: number): Promise<string> {
  return (await ask(sendTestMessage, { uuid, methodType })).sendTestMessage?.notificationUuid ?? '';
}

const FOLLOW = 2000;

/** What became of a test message, asked again for as long as something may still happen to it. */
export function testMessageQuery(uuid: string) {
  return queryOptions({
    queryKey: ['user', 'test-message', uuid],
    queryFn: async ({ signal }) => (await ask(testMessage, { uuid }, signal)).notification,
    refetchInterval: (query) => (query.state.data?.state === 'queued' ? FOLLOW : false),
    staleTime: 0,
  });
}
