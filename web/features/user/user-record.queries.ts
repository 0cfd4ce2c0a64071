import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf, type VariablesOf } from '../../api/graphql.ts';
import { rowsOf } from '../../kit/list/list.ts';

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

const saveUserMutation = graphql(`
  mutation SaveUser($input: SaveUserInput!) {
    saveUser(input: $input) {
      userUuid
    }
  }
`);
const updateUser = graphql(`
  mutation UpdateUser($uuid: UUID!, $patch: UserPatch!) {
    updateUser(input: { uuid: $uuid, patch: $patch }) {
      user {
        uuid
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

export type UserInput = VariablesOf<typeof saveUserMutation>['input'];
/** The fields of a user except those that the server sets: code, password and verification state. */
export type UserFields = Omit<UserInput['user'], 'otp' | 'password' | 'varified'>;

/** Saves a user and the links to sites in one transaction. If the user is new, the server sends an invitation. */
export function saveUser(input: UserInput) {
  return ask(saveUserMutation, { input });
}

/** Updates a user without checking for conflicting changes. Used by bulk actions. */
export function changeUser(uuid: string, patch: Partial<UserFields>) {
  return ask(updateUser, { uuid, patch });
}

export function removeUser(uuid: string) {
  return ask(deleteUser, { uuid });
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
      shownState
      attempts
      notifyTime
      nextAttemptAt
      sentAt
      deliveredAt
      failedAt
      providerAnswer
      attemptLog
    }
  }
`);

/** Queues a test message that is sent by one method. Returns its uuid, which `testMessageQuery` needs. */
export async function sendTest(uuid: string, methodType: number): Promise<string> {
  return (await ask(sendTestMessage, { uuid, methodType })).sendTestMessage?.notificationUuid ?? '';
}

const FOLLOW = 2000;

/** Polls the state of a test message while it is queued. */
export function testMessageQuery(uuid: string) {
  return queryOptions({
    queryKey: ['user', 'test-message', uuid],
    queryFn: async ({ signal }) => (await ask(testMessage, { uuid }, signal)).notification,
    refetchInterval: (query) => (query.state.data?.shownState === 'queued' ? FOLLOW : false),
    staleTime: 0,
  });
}
