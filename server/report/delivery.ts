import { methodTitle } from '../../domain/notification/methods.ts';
import { sortRows } from '../../domain/order.ts';
import { deliveryRate, deliveryShare, deliverySums } from '../../domain/report/delivery.ts';
import { deliveryOrders, personOrders as knownOrders, listOrder, orderWords } from '../../domain/report/list-order.ts';
import { roundPercent } from '../../domain/report/percent.ts';
import { messageKinds, shownStateName } from '../../domain/report/shown-state.ts';
import { type ReportContext, scope } from './context.ts';
import { count, previousPeriod, previousValueWriter } from './figures.ts';
import { personOrders } from './people.ts';
import { joinUuids, type Rows, rowsByKey, rowsByOrder } from './rows.ts';
import {
  type Cell,
  type Column,
  counts,
  type KeyFigure,
  type OrderedSection,
  type ReportContent,
  type Section,
  seconds,
  text,
  time,
} from './table.ts';

export async function delivery(context: ReportContext): Promise<ReportContent> {
  return {
    title: 'Message delivery',
    order: orderWords(context.parameters.sort, deliveryOrders, 'newest first'),
    columns: [
      time('Due'),
      text('Method', 1.3),
      text('About', 1),
      text('To'),
      text('Message', 4.2),
      text('Site'),
      text('State', 1.3),
      { header: 'Attempts', kind: 'count', weight: 1.5 },
      time('Sent at'),
      time('Delivered at'),
      text('Answer', 2.4),
    ],
    rows: deliveryRows(context),
    figures: () => deliveryFigures(context),
    sections: async () => [await deliveryByWay(context), await deliveryByPerson(context)],
  };
}

/** Columns with message counts by state, for the tables by method and by person. */
const deliveryColumns: readonly Column[] = [
  ...counts('Messages'),
  { header: 'Sent (%)', kind: 'share', weight: 1, plain: true },
  ...counts('Queued', 'Sent', 'Delivered', shownStateName('kept'), 'Failed'),
  seconds('Median (s)'),
  seconds('90th percentile (s)'),
];

function deliveryCells(row: any): Cell[] {
  const share = deliveryShare(deliverySums([row]));
  return [
    row.messages,
    share === null ? null : roundPercent(share),
    row.queued,
    row.sent,
    row.delivered,
    row.kept,
    row.failed,
    row.median_seconds,
    row.p90_seconds,
  ];
}

async function deliveryByWay(context: ReportContext): Promise<Section> {
  const found = await context.query(deliveryBy(false), [...scope(context), ...wantedMessages(context)]);
  const orders = { ...personOrders, name: (row: any) => methodTitle(row.method_type) };
  return {
    title: 'Delivery by method',
    columns: [text('Method', 4), ...deliveryColumns],
    rows: sortRows(found, context.parameters.wayOrder, orders).map((row) => [
      methodTitle(row.method_type),
      ...deliveryCells(row),
    ]),
  };
}

export async function deliveryByPerson(context: ReportContext): Promise<OrderedSection> {
  const found = await context.query(deliveryBy(true), [...scope(context), ...wantedMessages(context)]);
  return {
    title: 'Delivery by person',
    order: orderWords(context.parameters.order, knownOrders, 'ordered by person'),
    columns: [text('Person', 3), text('Method', 1), ...deliveryColumns],
    rows: sortRows(found, context.parameters.order, personOrders).map((row) => [
      row.recipient_name,
      methodTitle(row.method_type),
      ...deliveryCells(row),
    ]),
  };
}

/** Returns the filter parameters that the SQL functions expect after those of `scope`, in the same order. */
function wantedMessages({ parameters: { method, state, search, person, kind } }: ReportContext): unknown[] {
  return [method, state, search, person, kind];
}

/**
 * Returns SQL for message counts by method, or by person and method. Its query parameters are those of `scope`,
 * followed by those of `wantedMessages`.
 */
function deliveryBy(person: boolean): string {
  return `select * from tocsin.delivery_figures($1, $2, ${person}, $3, $4, $5, $6, $7, $8, $9)`;
}

/** Selects the columns of message `n`, with its site. */
const messageColumns = `select n.notify_time::text as at, n.uuid, n.notify_time, n.method_type, n.message_type, n.recipient_name, n.notify_message,
  s.name as site, tocsin_private.shown_state(n.state, n.provider) as shown_state, n.attempts, n.sent_at, n.delivered_at, n.provider_answer`;
const places = 'left join tocsin.site s on s.uuid = n.tocsin_site_uuid';

/** Reads messages with their delivery state and times, in the sort order of the report's page. */
function deliveryRows(context: ReportContext): Rows {
  const { parameters, query } = context;
  const wanted = [...scope(context), ...wantedMessages(context)];
  const sort = listOrder(parameters.sort, deliveryOrders);
  if (sort !== null) {
    return rowsByOrder(
      () =>
        query('select uuid from tocsin.delivery_report($1, $2, $5, $6, $7, $3, $4, $8, $9, $10)', [...wanted, sort]),
      (uuids) =>
        query(`${messageColumns} from ${joinUuids('tocsin.notification n')} ${places} order by k.place`, [uuids]),
      deliveryLine,
    );
  }
  return rowsByKey(
    (after, before, limit) =>
      query(
        `${messageColumns} from tocsin_private.delivery_rows($1, $2, $5, $6, $7, $3, $4, $8, $9) n ${places}
         where n.notify_time <= $10 and (n.notify_time < $10 or n.uuid > $11::uuid)
         order by n.notify_time desc, n.uuid limit $12`,
        [...wanted, before, after, limit],
      ),
    deliveryLine,
  );
}

function deliveryLine(row: any): Cell[] {
  return [
    row.notify_time,
    methodTitle(row.method_type),
    messageKinds[row.message_type] ?? '',
    row.recipient_name,
    row.notify_message,
    row.site ?? '',
    shownStateName(row.shown_state),
    row.attempts,
    // A message in the outbox reaches nobody. Its `sent_at` is the time at which it was stored there.
    row.shown_state === 'kept' ? null : row.sent_at,
    row.delivered_at,
    row.provider_answer,
  ];
}

/** Returns the key figures of the listed messages. */
async function deliveryFigures(context: ReportContext): Promise<KeyFigure[]> {
  const { scope: old } = previousPeriod(context);
  const ask = async (values: unknown[]) => deliverySums(await context.query(deliveryBy(false), values));
  const narrowed = wantedMessages(context);
  const [now, then] = [await ask([...scope(context), ...narrowed]), await ask([...old, ...narrowed])];
  const was = await previousValueWriter(context, then.messages);
  return [
    { name: 'Messages', value: count(now.messages), before: was(count(then.messages)) },
    {
      name: 'Sent',
      value: deliveryRate(now),
      unit: `${count(now.sent + now.delivered)} sent or delivered`,
      before: was(deliveryRate(then)),
    },
    {
      name: 'Failed',
      value: count(now.failed),
      ...(now.queued > 0 && { unit: `${count(now.queued)} still queued` }),
      before: was(count(then.failed)),
    },
    ...(now.kept + then.kept > 0
      ? [
          {
            name: shownStateName('kept'),
            value: count(now.kept),
            unit: 'kept in the outbox',
            before: was(count(then.kept)),
          },
        ]
      : []),
  ];
}
