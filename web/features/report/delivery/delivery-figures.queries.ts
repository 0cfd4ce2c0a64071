import { ask, graphql } from '../../../api/graphql.ts';
import { type RowOf, rowsOf } from '../../../kit/list/list.ts';
import { type MessageFilters, messagesOf, type Range, times } from '../report-filters.ts';

const deliveryFigures = graphql(`
  query DeliveryFigures(
    $from: Datetime!
    $to: Datetime!
    $byPerson: Boolean!
    $office: UUID
    $sites: [UUID]
    $method: Int
    $state: String
    $search: String
    $person: String
    $kind: Int
  ) {
    deliveryFigures(
      rangeFrom: $from
      rangeTo: $to
      byPerson: $byPerson
      unitOfficeUuid: $office
      siteUuids: $sites
      way: $method
      inState: $state
      search: $search
      ofPerson: $person
      ofKind: $kind
    ) {
      nodes {
        methodType
        recipientName
        messages
        queued
        sent
        delivered
        kept
        failed
        medianSeconds
        p90Seconds
      }
    }
  }
`);

export type DeliveryFigure = RowOf<typeof deliveryFigures, 'deliveryFigures'>;

export async function fetchDeliveryFigures(
  range: Range,
  wanted: MessageFilters,
  byPerson: boolean,
  signal?: AbortSignal,
) {
  const answer = await ask(deliveryFigures, { ...times(range), ...messagesOf(wanted), byPerson }, signal);
  return rowsOf(answer.deliveryFigures);
}
