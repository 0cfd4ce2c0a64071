import { deliveryOrders, listOrder } from '../../../../domain/report/list-order.ts';
import { ask, graphql } from '../../../api/graphql.ts';
import { type ListPage, type RowOf, rowsOf } from '../../../kit/list/list.ts';
import type { ReportPage } from '../alarm-report.queries.ts';
import { type MessageFilters, messagesOf, times } from '../report-filters.ts';

const delivery = graphql(`
  query DeliveryReport(
    $from: Datetime!
    $to: Datetime!
    $method: Int
    $state: String
    $search: String
    $office: UUID
    $sites: [UUID]
    $person: String
    $kind: Int
    $sort: String
    $first: Int!
    $offset: Int!
  ) {
    deliveryReport(
      rangeFrom: $from
      rangeTo: $to
      methodType: $method
      state: $state
      search: $search
      unitOfficeUuid: $office
      siteUuids: $sites
      ofPerson: $person
      ofKind: $kind
      sort: $sort
      first: $first
      offset: $offset
    ) {
      nodes {
        uuid
        methodType
        messageType
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
        recipientName
        address
        notifyMessage
        ackTime
        ackByRecipientName
        tocsinAlarmUuid
        site {
          name
        }
      }
    }
  }
`);

export type DeliveryRow = RowOf<typeof delivery, 'deliveryReport'>;

/**
 * Fetches one page of messages. `total` counts only this page; the actual total comes from the query for the figures.
 */
export async function fetchDelivery(
  page: ReportPage & MessageFilters,
  signal?: AbortSignal,
): Promise<ListPage<DeliveryRow>> {
  const { range, size: first, offset } = page;
  const sort = listOrder(page.sort, deliveryOrders);
  const answer = await ask(delivery, { ...times(range), ...messagesOf(page), sort, first, offset }, signal);
  const rows = rowsOf(answer.deliveryReport);
  return { rows, total: rows.length };
}
