import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { rowsOf } from '../../kit/list/list.ts';

const channelStates = graphql(`
  query ChannelStates {
    channelStates {
      nodes {
        methodType
        name
        title
        leavesTheHouse
        sentOn
        failedOn
        problem
        queued
        receiptAddress
        receiptProblem
      }
    }
  }
`);

export interface SenderState {
  /** 1 e-mail, 2 WhatsApp, 3 SMS, 4 app push. */
  methodType: number;
  name: string;
  title: string;
  /** Whether messages really go out, or end in the built-in outbox. */
  leavesTheHouse: boolean;
  sentOn: string | null;
  failedOn: string | null;
  problem: string;
  queued: number;
  /** Where the provider reports whether a message arrived; null where it does not. */
  receiptAddress: string | null;
  /** Why it does not, though it was asked to. */
  receiptProblem: string | null;
}

export const senderStatesQuery = queryOptions({
  queryKey: ['channel', 'states'],
  queryFn: async ({ signal }): Promise<SenderState[]> =>
    rowsOf((await ask(channelStates, {}, signal)).channelStates).map((state) => ({
      methodType: state.methodType ?? 0,
      name: state.name ?? '',
      title: state.title ?? '',
      leavesTheHouse: state.leavesTheHouse ?? false,
      sentOn: state.sentOn,
      failedOn: state.failedOn,
      problem: state.problem ?? '',
      queued: state.queued ?? 0,
      receiptAddress: state.receiptAddress,
      receiptProblem: state.receiptProblem,
    })),
  refetchInterval: 10_000,
});

const sendTest = graphql(`
  mutation SendTestMessage($user: UUID!, $method: Int!) {
    sendTestMessage(input: { tocsinUserUuid: $user, methodType: $method }) {
      notificationUuid
    }
  }
`);

/** Queues a test message; answers the key of the message, by which its fate can be followed. */
export async function sendTestMessage(user: string, method: number): Promise<string> {
  return (await ask(sendTest, { user, method })).sendTestMessage?.notificationUuid ?? '';
}

const testMessage = graphql(`
  query TestMessage($uuid: UUID!) {
    notification(uuid: $uuid) {
      fate
      attempts
      address
      provider
      providerAnswer
      sentAt
    }
  }
`);

/** How often a message that was sent is asked after, while its provider may still say that it arrived. */
const RECEIPT_LOOKS = 60;

/** What became of a test message; asked again until it is sent or given up, and with receipts for a while longer. */
export function testMessageQuery(uuid: string | null, receipts: boolean) {
  return queryOptions({
    queryKey: ['channel', 'test', uuid],
    queryFn: async ({ signal }) => (await ask(testMessage, { uuid: uuid ?? '' }, signal)).notification ?? null,
    enabled: uuid !== null,
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      if (data?.fate === 'sent' && receipts && dataUpdateCount < RECEIPT_LOOKS) return 2000;
      return data?.fate === 'queued' || data === undefined ? 1000 : false;
    },
  });
}
