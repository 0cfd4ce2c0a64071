import { queryOptions } from '@tanstack/react-query';
import { ask, graphql, type ResultOf } from '../../api/graphql.ts';
import { everyWord, orderOf, pageOf, type RowOf, rowsOf, windowOf } from '../../kit/list/list.ts';
import type { ListDefaults, ListView } from '../../ui/table/list-view.ts';
import { usedDefaultMessage } from './used-message.queries.ts';

const messageList = graphql(`
  query AlarmDefaultMessageList(
    $first: Int!
    $offset: Int!
    $filter: AlarmDefaultMessageFilter!
    $orderBy: [AlarmDefaultMessageOrderBy!]!
  ) {
    alarmDefaultMessages(first: $first, offset: $offset, filter: $filter, orderBy: $orderBy) {
      totalCount
      nodes {
        uuid
        message
        isUsed
        updatedAt
      }
    }
  }
`);

const usedMessage = graphql(
  `
    query UsedAlarmDefaultMessage {
      ...UsedDefaultMessage
    }
  `,
  [usedDefaultMessage],
);

/** The default message that alarms use; null if there is none. */
export const usedMessageQuery = queryOptions({
  queryKey: ['alarm-default-message', 'used'],
  queryFn: async ({ signal }) => rowsOf((await ask(usedMessage, {}, signal)).alarmDefaultMessages)[0] ?? null,
});

export type AlarmDefaultMessageRow = RowOf<typeof messageList, 'alarmDefaultMessages'>;

export const alarmDefaultMessageDefaults: ListDefaults = { sort: { column: 'message', descending: false } };

export function alarmDefaultMessageListQuery(view: ListView) {
  return queryOptions({
    queryKey: ['alarm-default-message', 'list', view],
    queryFn: async ({ signal }) => {
      const variables = {
        ...windowOf(view),
        filter: { and: everyWord(view.search, (word) => [{ message: word }]) },
        orderBy: orderOf(view.sort, { message: 'MESSAGE' } as const, 'MESSAGE_ASC'),
      };
      return pageOf((await ask(messageList, variables, signal)).alarmDefaultMessages);
    },
  });
}

const messageRecord = graphql(`
  query AlarmDefaultMessageRecord($uuid: UUID!) {
    alarmDefaultMessage(uuid: $uuid) {
      uuid
      message
      isUsed
      updatedAt
    }
  }
`);

export type AlarmDefaultMessageRecord = NonNullable<ResultOf<typeof messageRecord>['alarmDefaultMessage']>;

export async function readMessage(uuid: string, signal?: AbortSignal): Promise<AlarmDefaultMessageRecord | null> {
  return (await ask(messageRecord, { uuid }, signal)).alarmDefaultMessage ?? null;
}

export function alarmDefaultMessageRecordQuery(uuid: string) {
  return queryOptions({
    queryKey: ['alarm-default-message', 'record', uuid],
    queryFn: ({ signal }) => readMessage(uuid, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

const createMessage = graphql(`
  mutation CreateAlarmDefaultMessage($message: String!) {
    createAlarmDefaultMessage(input: { alarmDefaultMessage: { message: $message } }) {
      clientMutationId
    }
  }
`);

const updateMessage = graphql(`
  mutation UpdateAlarmDefaultMessage($uuid: UUID!, $patch: AlarmDefaultMessagePatch!) {
    updateAlarmDefaultMessage(input: { uuid: $uuid, patch: $patch }) {
      clientMutationId
    }
  }
`);

export async function saveMessage(uuid: string | null, message: string, mark: string | undefined): Promise<void> {
  if (uuid === null) await ask(createMessage, { message });
  else await ask(updateMessage, { uuid, patch: { message, ...(mark && { updatedAt: mark }) } });
}

const chooseMessage = graphql(`
  mutation UseAlarmDefaultMessage($uuid: UUID!) {
    useAlarmDefaultMessage(input: { uuid: $uuid }) {
      clientMutationId
    }
  }
`);

/** Selects the default message for new alarms. */
export async function chooseDefaultMessage(uuid: string): Promise<void> {
  await ask(chooseMessage, { uuid });
}

const deleteMessage = graphql(`
  mutation DeleteAlarmDefaultMessage($uuid: UUID!) {
    deleteAlarmDefaultMessage(input: { uuid: $uuid }) {
      clientMutationId
    }
  }
`);

export async function removeMessage(uuid: string): Promise<void> {
  await ask(deleteMessage, { uuid });
}
