import { queryOptions } from '@tanstack/react-query';
import { ask, graphql } from '../../api/graphql.ts';
import { rowsOf } from '../../kit/list/list.ts';

const senderStates = graphql(`
  query SenderStates {
    senderStates {
      nodes {
        methodType
        name
        title
        isConfigured
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
  /** True if messages are sent; false if the built-in outbox keeps them. */
  isConfigured: boolean;
  sentOn: string | null;
  failedOn: string | null;
  problem: string;
  queued: number;
  /** Address for the provider's delivery receipts; null if it sends none. */
  receiptAddress: string | null;
  /** Why receipts do not arrive although they are configured. */
  receiptProblem: string | null;
}

export const senderStatesQuery = queryOptions({
  queryKey: ['channel', 'states'],
  queryFn: async ({ signal }): Promise<SenderState[]> =>
    rowsOf((await ask(senderStates, {}, signal)).senderStates).map((state) => ({
      methodType: state.methodType ?? 0,
      name: state.name ?? '',
      title: state.title ?? '',
      isConfigured: state.isConfigured ?? false,
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

/** Queues a test message and returns its uuid, for testMessageQuery. */
export async function sendTestMessage(user: string, method: number): Promise<string> {
  return (await ask(sendTest, { user, method })).sendTestMessage?.notificationUuid ?? '';
}

const testMessage = graphql(`
  query TestMessage($uuid: UUID!) {
    notification(uuid: $uuid) {
      shownState
      attempts
      address
      provider
      providerAnswer
      sentAt
    }
  }
`);

/** Maximum number of fetches after the message was sent, while a receipt may still arrive. */
const RECEIPT_LOOKS = 60;

/** State of a test message; polls until it is sent or failed, and with receipts for a while longer. */
export function testMessageQuery(uuid: string | null, receipts: boolean) {
  return queryOptions({
    queryKey: ['channel', 'test', uuid],
    queryFn: async ({ signal }) => (await ask(testMessage, { uuid: uuid ?? '' }, signal)).notification ?? null,
    enabled: uuid !== null,
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      if (data?.shownState === 'sent' && receipts && dataUpdateCount < RECEIPT_LOOKS) return 2000;
      return data?.shownState === 'queued' || data === undefined ? 1000 : false;
    },
  });
}
