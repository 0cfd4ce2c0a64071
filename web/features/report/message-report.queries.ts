import { ask, graphql } from '../../api/graphql.ts';
import { type ListPage, pageOf, type RowOf, rowsOf } from '../list/list.ts';
import { type Place, placeOf, type ReportPage } from './alarm-report.queries.ts';
import { type Range, times } from './report.queries.ts';

const acknowledgements = graphql(`
  query AcknowledgementReport(
    $from: Datetime!
    $to: Datetime!
    $smsOnly: Boolean!
    $office: UUID
    $sites: [UUID]
    $first: Int!
    $offset: Int!
  ) {
    acknowledgementReport(
      rangeFrom: $from
      rangeTo: $to
      smsOnly: $smsOnly
      unitOfficeUuid: $office
      siteUuids: $sites
      first: $first
      offset: $offset
    ) {
      totalCount
      nodes {
        uuid
        notifyMessage
        notifyTime
        recipientName
        ackTime
        ackByRecipientName
        tocsinAlarmUuid
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

/** Alarm messages by SMS of unit offices, or every message of sites, newest first. */
export async function fetchAcknowledgements(
  { range, size, offset, ...place }: Omit<ReportPage, 'search'>,
  smsOnly: boolean,
  signal?: AbortSignal,
): Promise<ListPage<AcknowledgementRow>> {
  const variables = { ...times(range), ...placeOf(place), smsOnly, first: size, offset };
  return pageOf((await ask(acknowledgements, variables, signal)).acknowledgementReport);
}

const totals = graphql(`
  query AcknowledgementTotals($from: Datetime!, $to: Datetime!, $smsOnly: Boolean, $office: UUID, $sites: [UUID]) {
    acknowledgementTotals(
      rangeFrom: $from
      rangeTo: $to
      smsOnly: $smsOnly
      unitOfficeUuid: $office
      siteUuids: $sites
    ) {
      messages
      acknowledged
      medianSeconds
      p90Seconds
    }
  }
`);

const people = graphql(`
  query AcknowledgementsByPerson($from: Datetime!, $to: Datetime!, $smsOnly: Boolean, $office: UUID, $sites: [UUID]) {
    acknowledgementsByPerson(
      rangeFrom: $from
      rangeTo: $to
      smsOnly: $smsOnly
      unitOfficeUuid: $office
      siteUuids: $sites
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

export async function fetchAcknowledgementTotals(range: Range, place: Place, smsOnly: boolean, signal?: AbortSignal) {
  const answer = await ask(totals, { ...times(range), ...placeOf(place), smsOnly }, signal);
  return answer.acknowledgementTotals;
}

export async function fetchAcknowledgementPeople(range: Range, place: Place, smsOnly: boolean, signal?: AbortSignal) {
  const answer = await ask(people, { ...times(range), ...placeOf(place), smsOnly }, signal);
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
      first: $first
      offset: $offset
    ) {
      nodes {
        uuid
        methodType
        messageType
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

/** Which messages: of which way, in which state, with what in them. */
export interface WantedMessages extends Place {
  method?: number | undefined;
  state?: string | undefined;
  search?: string;
}

/** A page of the messages. How many there are is in their figures. */
export async function fetchDelivery(
  page: Omit<ReportPage, 'search'> & WantedMessages,
  signal?: AbortSignal,
): Promise<ListPage<DeliveryRow>> {
  const answer = await ask(
    delivery,
    {
      ...times(page.range),
      ...placeOf(page),
      method: page.method ?? null,
      state: page.state ?? null,
      search: page.search || null,
      first: page.size,
      offset: page.offset,
    },
    signal,
  );
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
    ) {
      nodes {
        methodType
        recipientName
        messages
        queued
        sent
        delivered
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
  wanted: WantedMessages,
  byPerson: boolean,
  signal?: AbortSignal,
) {
  const { method, state, search } = wanted;
  const answer = await ask(
    deliveryFigures,
    {
      ...times(range),
      ...placeOf(wanted),
      ...{ method: method ?? null, state: state ?? null, search: search || null },
      byPerson,
    },
    signal,
  );
  return rowsOf(answer.deliveryFigures);
}
