import { acknowledgementOrders, deliveryOrders, listOrder } from '../../../domain/report/list-order.ts';
import type { StateFilter } from '../../../domain/report/shown-state.ts';
import { ask, graphql } from '../../api/graphql.ts';
import { type ListPage, pageOf, type RowOf, rowsOf } from '../../kit/list/list.ts';
import { type Place, placeOf, type ReportPage } from './alarm-report.queries.ts';
import { type Range, times } from './report.queries.ts';

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
        fate
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

/** Filters for acknowledgements. */
export interface AcknowledgementFilters extends Place {
  smsOnly: boolean;
  person: string | undefined;
}

const acknowledgementsOf = (wanted: AcknowledgementFilters) => ({
  ...placeOf(wanted),
  smsOnly: wanted.smsOnly,
  person: wanted.person ?? null,
});

/** Fetches one page of alarm SMS or of every message, newest first unless `sort` says otherwise. */
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
        fate
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

/** Filters for messages. */
export interface MessageFilters extends Place {
  method?: number | undefined;
  state?: StateFilter | undefined;
  kind?: number | undefined;
  person?: string | undefined;
  search?: string;
}

const messagesOf = (wanted: MessageFilters) => ({
  ...placeOf(wanted),
  method: wanted.method ?? null,
  state: wanted.state ?? null,
  kind: wanted.kind ?? null,
  person: wanted.person ?? null,
  search: wanted.search || null,
});

/** Fetches one page of messages. The total count comes with the figures. */
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
