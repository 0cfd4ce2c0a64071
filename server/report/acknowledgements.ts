import { formatSeconds } from '../../domain/age.ts';
import { methodTitle } from '../../domain/notification/methods.ts';
import { sortRows } from '../../domain/order.ts';
import { acknowledgedVia, countsForAcknowledgement, listHeading } from '../../domain/report/acknowledgement.ts';
import { acknowledgementOrders, listOrder, orderWords, recipientOrders } from '../../domain/report/list-order.ts';
import { messageKinds, shownStateName } from '../../domain/report/shown-state.ts';
import { type ReportContext, scope } from './context.ts';
import { count, previousPeriod, previousValueWriter } from './figures.ts';
import { personOrders } from './people.ts';
import { joinUuids, type Rows, rowsByKey, rowsByOrder } from './rows.ts';
import {
  type Cell,
  counts,
  type KeyFigure,
  type OrderedSection,
  type ReportContent,
  seconds,
  text,
  time,
  wholeSeconds,
} from './table.ts';

export async function acknowledgements(context: ReportContext): Promise<ReportContent> {
  const bySite = context.parameters.by === 'site';
  return {
    title: bySite ? 'Acknowledgement of messages by site' : `Acknowledgement of alarm SMS by ${context.office.one}`,
    rowsBy: true,
    order: orderWords(context.parameters.sort, acknowledgementOrders, 'newest first'),
    columns: [
      time('Due'),
      // The report by unit office lists only alarm SMS, so its columns for method and type would have the same value in
      // every row.
      ...(bySite ? [text('Method', 1.3), text('About', 1.2)] : []),
      text('Message', 3.4),
      text('Site', 1.7),
      text(context.office.title, 1.5),
      text('To', 1.6),
      text('State', 1.3),
      text('Counted', 0.9),
      text('Acknowledged by', 1.7),
      text('Through', 1.2),
      time('Acknowledged'),
      wholeSeconds('Response time (s)'),
    ],
    rows: acknowledgementRows(context),
    rowsTitle: () => listedTitle(context),
    figures: () => acknowledgementFigures(context),
    sections: async () => [await acknowledgementsByPerson(context)],
  };
}

export async function acknowledgementsByPerson(context: ReportContext): Promise<OrderedSection> {
  const found = await context.query('select * from tocsin.acknowledgements_by_person($1, $2, $5, $3, $4, $6)', [
    ...scope(context),
    context.parameters.by === 'office',
    context.parameters.person,
  ]);
  return {
    title: 'Acknowledgement by person',
    order: orderWords(context.parameters.order, recipientOrders, 'with the fewest own acknowledgements first'),
    columns: [
      text('Person', 3),
      ...counts('Notified', 'Acknowledged by anyone', 'Acknowledged by this person'),
      seconds('User’s response time, median (s)'),
      seconds('User’s response time, 90th percentile (s)'),
    ],
    rows: sortRows(found, context.parameters.order, personOrders).map((row) => [
      row.recipient_name,
      row.messages,
      row.acknowledged,
      row.by_themselves,
      row.median_seconds,
      row.p90_seconds,
    ]),
  };
}

/** Selects the columns of message `n`, including its site and unit office. */
const messageColumns = `select n.notify_time::text as at, n.uuid, n.notify_time, n.method_type, n.message_type, n.notify_message, s.name as site, g.name as office, n.recipient_name,
  tocsin_private.shown_state(n.state, n.provider) as shown_state, n.ack_by_recipient_name, n.ack_time,
  case when n.ack_time is not null then a.acknowledge_json ->> 'channel' end as channel,
  extract(epoch from n.ack_time - n.notify_time)::float8 as seconds`;
const places = `left join tocsin.site s on s.uuid = n.tocsin_site_uuid left join tocsin.group g on g.uuid = s.tocsin_group5_uuid
  left join tocsin.alarm a on a.uuid = n.tocsin_alarm_uuid`;

/** Returns the query parameters: range, unit office, site, whether only alarm SMS are selected, and recipient. */
function wantedMessages(context: ReportContext): unknown[] {
  return [...scope(context), context.parameters.by === 'office', context.parameters.person];
}

/**
 * Returns the heading of the list of messages. It states how many messages the list contains and how many of them the
 * key figures count.
 */
async function listedTitle(context: ReportContext): Promise<string> {
  const [{ listed }] = await context.query(
    'select count(*)::integer as listed from tocsin_private.acknowledgement_rows($1, $2, $5, $3, $4, $6)',
    wantedMessages(context),
  );
  const { messages: counted } = await totalsOf(context, scope(context));
  return listHeading({ listed, counted, smsOnly: context.parameters.by === 'office' }, 'en');
}

/**
 * Reads messages with their acknowledgements, in the sort order of the report's page. The report by unit office
 * contains only alarm SMS; the report by site contains all messages.
 */
function acknowledgementRows(context: ReportContext): Rows {
  const { parameters, query } = context;
  const wanted = wantedMessages(context);
  const acknowledgementLine = lineOf(parameters.by === 'site');
  const sort = listOrder(parameters.sort, acknowledgementOrders);
  if (sort !== null) {
    return rowsByOrder(
      () => query('select uuid from tocsin.acknowledgement_report($1, $2, $5, $3, $4, $6, $7)', [...wanted, sort]),
      (uuids) =>
        query(`${messageColumns} from ${joinUuids('tocsin.notification n')} ${places} order by k.place`, [uuids]),
      acknowledgementLine,
    );
  }
  return rowsByKey(
    (after, before, limit) =>
      query(
        `${messageColumns} from tocsin_private.acknowledgement_rows($1, $2, $5, $3, $4, $6) n ${places}
         where n.notify_time <= $7 and (n.notify_time < $7 or n.uuid > $8::uuid)
         order by n.notify_time desc, n.uuid limit $9`,
        [...wanted, before, after, limit],
      ),
    acknowledgementLine,
  );
}

function lineOf(bySite: boolean): (row: any) => Cell[] {
  return (row) => [
    row.notify_time,
    ...(bySite ? [methodTitle(row.method_type), messageKinds[row.message_type] ?? ''] : []),
    row.notify_message,
    row.site ?? '',
    row.office ?? '',
    row.recipient_name,
    shownStateName(row.shown_state),
    countsForAcknowledgement(row.message_type, row.shown_state) ? 'yes' : 'no',
    row.ack_by_recipient_name ?? '',
    acknowledgedVia(row.channel),
    row.ack_time,
    row.seconds,
  ];
}

async function totalsOf({ parameters, query }: ReportContext, values: unknown[]): Promise<any> {
  const wanted = [...values, parameters.by === 'office', parameters.person];
  return (await query('select * from tocsin.acknowledgement_totals($1, $2, $5, $3, $4, $6)', wanted))[0];
}

async function acknowledgementFigures(context: ReportContext): Promise<KeyFigure[]> {
  const smsOnly = context.parameters.by === 'office';
  const [now, then] = [await totalsOf(context, scope(context)), await totalsOf(context, previousPeriod(context).scope)];
  const was = await previousValueWriter(context, then.messages);
  return [
    {
      name: smsOnly ? 'Alarm SMS acknowledged' : 'Alarm messages acknowledged',
      value: count(now.acknowledged),
      unit: `of ${count(now.messages)} sent`,
      before: was(`${count(then.acknowledged)} of ${count(then.messages)}`),
    },
    {
      name: 'Median time to acknowledge',
      value: formatSeconds(now.median_seconds),
      before: was(formatSeconds(then.median_seconds)),
    },
    {
      name: '90th percentile',
      value: formatSeconds(now.p90_seconds),
      before: was(formatSeconds(then.p90_seconds)),
    },
  ];
}
