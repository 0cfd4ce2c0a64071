import { fateName, messageKinds } from '../../domain/report/fate.ts';
import type { Asked } from './asked.ts';
import { type Rows, rowsByKey } from './rows.ts';

export interface ReportWork {
  asked: Asked;
  timeZone: string;
  now: Date;
  /** Asks the database as the person who wants the report. */
  query(text: string, values: readonly unknown[]): Promise<any[]>;
}

/** The range, the unit office and the site, as most functions of the database take them. */
export function scope({ asked: { range, office, site } }: ReportWork): unknown[] {
  return [range.from, range.to, office, site === null ? null : [site]];
}

/** The same for alarms, which a rule and a reason narrow too. */
export function alarmScope(work: ReportWork): unknown[] {
  return [...scope(work), work.asked.rule, work.asked.reason];
}

/** What else narrows messages, in the order of the functions of the database. */
export function wantedMessages({ asked: { method, state, search, person, kind } }: ReportWork): unknown[] {
  return [method, state, search, person, kind];
}

/** The question for what became of messages, on each way or for each person on each; it takes the scope and what narrows messages. */
export function deliveryBy(person: boolean): string {
  return `select * from tocsin.delivery_figures($1, $2, ${person}, $3, $4, $5, $6, $7, $8, $9)`;
}

/** As the pages call them. */
const ways: Readonly<Record<number, string>> = { 1: 'E-mail', 2: 'WhatsApp', 3: 'SMS', 4: 'Push' };

export function methodName(method: number): string {
  return ways[method] ?? 'Message';
}

/** Alarms by when they were made, newest first. */
export function alarmRows(work: ReportWork): Rows {
  const { asked, query } = work;
  return rowsByKey(
    (after, before, limit) =>
      query(
        `select a.created_at::text as at, a.uuid, a.date_time, initcap(a.severity) as severity, a.message, a.site_name, g.name as office,
           extract(epoch from a.resolved_date - a.date_time)::float8 as lasted, a.acknowledge_json ->> 'name' as who, a.reason,
           extract(epoch from (a.acknowledge_json ->> 'at')::timestamptz - a.date_time)::float8 as acknowledged
         from tocsin.alarm a left join tocsin.site s on s.uuid = a.tocsin_site_uuid left join tocsin.group g on g.uuid = s.tocsin_group5_uuid
         where tocsin_private.check_range($1, $2) and a.created_at >= $1 and a.created_at < $2
           and ($3::uuid is null or s.tocsin_group5_uuid = $3) and ($4::uuid[] is null or a.tocsin_site_uuid = any ($4))
           and ($5::uuid is null or a.rule_uuid = $5) and ($6::text is null or a.reason = $6 or $6 = '' and a.reason is null)
           and ($7::text is null or position(lower($7) in lower(a.message)) > 0 or position(lower($7) in lower(a.site_name)) > 0)
           and a.created_at <= $8 and (a.created_at < $8 or a.uuid > $9::uuid)
         order by a.created_at desc, a.uuid limit $10`,
        [...alarmScope(work), asked.search, before, after, limit],
      ),
    (row) => [
      row.date_time,
      row.severity,
      row.message,
      row.site_name,
      row.office ?? '',
      row.lasted,
      row.who ?? '',
      row.acknowledged,
      row.reason ?? '',
    ],
  );
}

/** Messages and who acknowledged: alarm SMS of unit offices, or every message of sites. */
export function acknowledgementRows(work: ReportWork): Rows {
  const { asked, query } = work;
  return rowsByKey(
    (after, before, limit) =>
      query(
        `select n.notify_time::text as at, n.uuid, n.notify_time, n.notify_message, s.name as site, g.name as office, n.recipient_name,
           tocsin_private.message_fate(n.state, n.provider) as fate, n.ack_by_recipient_name, n.ack_time, extract(epoch from n.ack_time - n.notify_time)::float8 as seconds
         from tocsin_private.acknowledgement_rows($1, $2, $5, $3, $4, $6) n left join tocsin.site s on s.uuid = n.tocsin_site_uuid
         left join tocsin.group g on g.uuid = s.tocsin_group5_uuid
         where n.notify_time <= $7 and (n.notify_time < $7 or n.uuid > $8::uuid)
         order by n.notify_time desc, n.uuid limit $9`,
        [...scope(work), asked.by === 'office', asked.person, before, after, limit],
      ),
    (row) => [
      row.notify_time,
      row.notify_message,
      row.site ?? '',
      row.office ?? '',
      row.recipient_name,
      fateName(row.fate),
      row.ack_by_recipient_name ?? '',
      row.ack_time,
      row.seconds,
    ],
  );
}

/** Messages with the whole of their life. */
export function deliveryRows(work: ReportWork): Rows {
  const { query } = work;
  return rowsByKey(
    (after, before, limit) =>
      query(
        `select n.notify_time::text as at, n.uuid, n.notify_time, n.method_type, n.message_type, n.recipient_name, n.notify_message, s.name as site,
           tocsin_private.message_fate(n.state, n.provider) as fate, n.attempts, n.sent_at, n.delivered_at, n.provider_answer
         from tocsin_private.delivery_rows($1, $2, $5, $6, $7, $3, $4, $8, $9) n left join tocsin.site s on s.uuid = n.tocsin_site_uuid
         where n.notify_time <= $10 and (n.notify_time < $10 or n.uuid > $11::uuid)
         order by n.notify_time desc, n.uuid limit $12`,
        [...scope(work), ...wantedMessages(work), before, after, limit],
      ),
    (row) => [
      row.notify_time,
      methodName(row.method_type),
      messageKinds[row.message_type] ?? '',
      row.recipient_name,
      row.notify_message,
      row.site ?? '',
      fateName(row.fate),
      row.attempts,
      // The outbox noted when it took it, which told nobody.
      row.fate === 'kept' ? null : row.sent_at,
      row.delivered_at,
      row.provider_answer,
    ],
  );
}
