import { acknowledgementOrders, listOrder } from '../../../domain/report/list-order.ts';
import { ask, graphql } from '../../api/graphql.ts';
import { type ListPage, pageOf, type RowOf, rowsOf } from '../../kit/list/list.ts';
import type { ReportPage } from './alarm-report.queries.ts';
import { type Place, placeOf, type Range, times } from './report-filters.ts';

const acknowledgements = graphql(`
  query AcknowledgementReport(
    $from: Datetime!
    $to: Datetime!
    $smsOnly: Boolean!
    $office: UUID
    $sites: [UUID]
    $person: String
    $sort: String
    $first: Int!
    $offset: Int!
  ) {
    acknowledgementReport(
      rangeFrom: $from
      rangeTo: $to
      smsOnly: $smsOnly
      unitOfficeUuid: $office
      siteUuids: $sites
      ofPerson: $person
      sort: $sort
      first: $first
      offset: $offset
    ) {
      totalCount
      nodes {
        uuid
        methodType
        messageType
        notifyMessage
        notifyTime
        recipientName
        shownState
        ackTime
        ackByRecipientName
        tocsinAlarmUuid
        alarm {
          acknowledgeJson
        }
        site {
          name
          group5 {
            name
          }
        }
      }
    }
  }
`);

export type AcknowledgementRow = RowOf<typeof acknowledgements, 'acknowledgementReport'>;

export interface AcknowledgementFilters extends Place {
  smsOnly: boolean;
  person: string | undefined;
}

const acknowledgementsOf = (wanted: AcknowledgementFilters) => ({
  ...placeOf(wanted),
  smsOnly: wanted.smsOnly,
  person: wanted.person ?? null,
});

/** Fetches one page of alarm SMS, or of messages of all methods. Without `sort`, the newest message comes first. */
export async function fetchAcknowledgements(
  { range, size, offset, sort, ...wanted }: ReportPage & AcknowledgementFilters,
  signal?: AbortSignal,
): Promise<ListPage<AcknowledgementRow>> {
  const order = listOrder(sort, acknowledgementOrders);
  const variables = { ...times(range), ...acknowledgementsOf(wanted), sort: order, first: size, offset };
  return pageOf((await ask(acknowledgements, variables, signal)).acknowledgementReport);
}

const totals = graphql(`
  query AcknowledgementTotals(
    $from: Datetime!
    $to: Datetime!
    $smsOnly: Boolean
    $office: UUID
    $sites: [UUID]
    $person: String
  ) {
    acknowledgementTotals(
      rangeFrom: $from
      rangeTo: $to
      smsOnly: $smsOnly
      unitOfficeUuid: $office
      siteUuids: $sites
      ofPerson: $person
    ) {
      messages
      acknowledged
      medianSeconds
      p90Seconds
    }
  }
`);

const people = graphql(`
  query AcknowledgementsByPerson(
    $from: Datetime!
    $to: Datetime!
    $smsOnly: Boolean
    $office: UUID
    $sites: [UUID]
    $person: String
  ) {
    acknowledgementsByPerson(
      rangeFrom: $from
      rangeTo: $to
      smsOnly: $smsOnly
      unitOfficeUuid: $office
      siteUuids: $sites
      ofPerson: $person
    ) {
      nodes {
        recipientName
        messages
        acknowledged
        byThemselves
        medianSeconds
        p90Seconds
      }
    }
  }
`);

export type PersonRow = RowOf<typeof people, 'acknowledgementsByPerson'>;

export async function fetchAcknowledgementTotals(range: Range, wanted: AcknowledgementFilters, signal?: AbortSignal) {
  const answer = await ask(totals, { ...times(range), ...acknowledgementsOf(wanted) }, signal);
  return answer.acknowledgementTotals;
}

export async function fetchAcknowledgementPeople(range: Range, wanted: AcknowledgementFilters, signal?: AbortSignal) {
  const answer = await ask(people, { ...times(range), ...acknowledgementsOf(wanted) }, signal);
  return rowsOf(answer.acknowledgementsByPerson);
}
