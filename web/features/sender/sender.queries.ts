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
        inboundAddress
      }
    }
  }
`);

export interface SenderState {
  /** Notification method: 1 e-mail, 2 WhatsApp, 3 SMS, 4 app push. */
  methodType: number;
  name: string;
  title: string;
  /** True if messages are sent; false if the built-in outbox keeps them. */
  isConfigured: boolean;
  sentOn: string | null;
  failedOn: string | null;
  problem: string;
  queued: number;
  /** Address for the provider's delivery receipts; null if the provider sends none. */
  receiptAddress: string | null;
  /** Reason why configured receipts do not arrive; null if there is no problem. */
  receiptProblem: string | null;
  /** Address for the answers of people; null if they cannot answer. */
  inboundAddress: string | null;
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
      inboundAddress: state.inboundAddress,
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

/** Queues a test message and returns its uuid, which `testMessageQuery` needs. */
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

/** Maximum number of times that the state is fetched while waiting for a delivery receipt. */
const RECEIPT_LOOKS = 60;

/**
 * Polls the state of a test message until it is sent or has failed. With `receipts`, continues polling for a delivery
 * receipt.
 */
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
