import type { NewEvent } from '../../domain/alarm/event.ts';
import { type QuietBecause, quietResolution } from '../../domain/alarm/quiet.ts';
import { resolvedText, stillOutsideText } from '../../domain/alarm/texts.ts';
import { type NotificationDraft, type Recipients, resolveRecipients } from '../../domain/notification/draft.ts';
import type { Severity } from '../../domain/rule/priority.ts';
import { topicOf } from '../notification/current-recipients.ts';
import { loadEscalatedTo } from '../notification/escalated-to.ts';
import { type NotificationQueue, queueNotifications } from '../notification/queue.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import type { AffectedPlace } from './alarm-states.ts';
import { ofRule } from './events.ts';

export type ResolvedHow = 'by-itself' | 'rule-changed' | 'heard-again';

export interface Resolution {
  alarmUuid: string;
  at: number;
  how: ResolvedHow;
  /** Timeline text that explains why the alarm was resolved. */
  sentence: string;
  /** Notification text that explains why the alarm was resolved. */
  because: string;
  /** Rule that returned to normal. Other rules can still keep the alarm open. */
  watchUuid?: string;
  ruleName?: string | undefined;
}

interface ResolvedRow {
  uuid: string;
  customer: string;
  site: string | null;
  datapoint: string | null;
  rule: string | null;
  site_name: string;
  severity: Severity;
  message: string;
  opened: number;
  resolved: number;
  recipients: Recipients | null;
  escalating: boolean;
  escalationStep: number;
  hasSteps: boolean;
  source: string;
  how: ResolvedHow | 'person';
  unit: string;
  /** Why the alarm was quiet, so that nobody is notified; null if it was not. */
  quiet: QuietBecause | null;
  /** Newest value of the data point; null unless the rule has limits. */
  latest: number | null;
}

const RESOLVED_ROW = `a.uuid, a.tocsin_customer_uuid as customer, a.tocsin_site_uuid as site, a.tocsin_datapoint_uuid as datapoint,
  a.rule_uuid as rule, a.site_name, a.severity, a.message, a.recipients, a.source, a.resolved_how as how, a.unit,
  a.escalation_step as "escalationStep", coalesce(a.plan ? 'steps', false) as "hasSteps", a.quiet_because as quiet,
  case a.source when 'limits' then (select d.latest_value from tocsin.asset_datapoint d where d.uuid = a.tocsin_datapoint_uuid) end as latest,
  extract(epoch from a.date_time)::float8 * 1000 as opened, round(extract(epoch from a.resolved_date) * 1000)::float8 as resolved`;

/**
 * Resolves open alarms that no other rule keeps open, and notifies the recipients. Ignores the stored states of the
 * rules in `evaluated`, because the calling function is about to replace them.
 */
export async function resolveAlarms(
  tx: Transaction,
  resolutions: readonly Resolution[],
  evaluated: readonly string[],
  notifications: NotificationQueue,
  now: number,
): Promise<{ events: NewEvent[]; touched: AffectedPlace[] }> {
  await notifications.loadDeferredOf(
    tx,
    resolutions.map(({ alarmUuid }) => alarmUuid),
  );
  const { rows } = await tx.query<ResolvedRow>(
    `with wanted as materialized (
       select distinct on (r."alarmUuid") a.uuid, r.at, r.how, a.next_escalation_at is not null as escalating
       from ${recordset('r', { alarmUuid: 'uuid', at: 'float8', how: 'text' })} join tocsin.alarm a on a.uuid = r."alarmUuid"
       where a.resolved_date is null and not exists (select from tocsin_private.rule_state s where s.alarm_uuid = a.uuid
         and s.phase in ('open', 'clearing') and s.watch_uuid <> all ($2::uuid[]))
       order by r."alarmUuid", r.at desc
     )
     update tocsin.alarm a set resolved_date = greatest(to_timestamp(w.at / 1000), a.date_time), resolved_how = w.how, next_escalation_at = null
     from wanted w where a.uuid = w.uuid and a.resolved_date is null
     returning ${RESOLVED_ROW}, w.escalating`,
    [JSON.stringify(resolutions), evaluated],
  );
  const known = new Map(resolutions.map((resolution) => [resolution.alarmUuid, resolution]));
  const events: NewEvent[] = [];
  for (const { uuid, customer, rule, resolved, escalating, escalationStep } of rows) {
    const common = { alarmUuid: uuid, customerUuid: customer };
    const { sentence = '', watchUuid, ruleName } = known.get(uuid) ?? {};
    // Several rules can share an alarm. The rule that returns to normal last may differ from the rule that opened the
    // alarm.
    const isOther = watchUuid !== undefined && rule !== null && watchUuid !== rule;
    const text = isOther ? ofRule(ruleName, sentence) : sentence;
    events.push({ ...common, at: resolved, kind: 'resolved', sentence: text });
    if (escalating) {
      const sentence =
        escalationStep === 0
          ? 'The alarm was resolved before the first escalation.'
          : 'The alarm was resolved, so it is not escalated further.';
      events.push({ ...common, at: now, kind: 'escalation-stopped', sentence });
    }
  }
  // Runs after the update. If the update waited for a concurrent escalation, this query then includes that escalation.
  const [escalatedTo] = await Promise.all([
    loadEscalatedTo(tx, rows),
    notifications.load(tx, { topics: rows.map(topicOf), alarms: rows.map(({ uuid }) => uuid) }),
  ]);
  const order = new Map(resolutions.map(({ alarmUuid }, index) => [alarmUuid, index]));
  for (const row of rows.toSorted((a, b) => (order.get(a.uuid) ?? 0) - (order.get(b.uuid) ?? 0))) {
    events.push(...notifications.end(row.uuid, row.how === 'by-itself' ? row.resolved : undefined));
    // A deleted or disabled rule was not evaluated, so the message must not state that the value is inside the limits.
    const ended = row.how === 'rule-changed';
    if (row.quiet) {
      events.push(quietEvent(row, row.quiet, now));
      continue;
    }
    const draft = draftOf(row, known.get(row.uuid)?.because ?? '', ended, escalatedTo.get(row.uuid));
    events.push(...(await notifications.add(tx, [draft])));
  }
  return { events, touched: rows.map(({ site, datapoint }) => ({ siteUuid: site, datapointUuid: datapoint })) };
}

/**
 * Notifies the recipients that a person resolved an alarm. `lasts` is true if the condition that opened the alarm still
 * exists. Call it after the alarm's row and timeline are written.
 */
export async function notifyResolved(
  tx: Transaction,
  alarmUuid: string,
  because: string,
  lasts: boolean,
  now: number,
): Promise<NewEvent[]> {
  const { rows } = await tx.query<ResolvedRow>(
    `select ${RESOLVED_ROW} from tocsin.alarm a where a.uuid = $1 and a.resolved_date is not null`,
    [alarmUuid],
  );
  const escalatedTo = await loadEscalatedTo(tx, rows);
  const drafts = rows
    .filter(({ quiet }) => !quiet)
    .map((row) => {
      const text = lasts ? `${because.replace(/\.$/, '')}. ${stillOutsideText(row.source)}` : because;
      return draftOf(row, text, lasts, escalatedTo.get(row.uuid));
    });
  const events = await queueNotifications(tx, drafts, now);
  events.push(...rows.flatMap((row) => (row.quiet ? [quietEvent(row, row.quiet, now)] : [])));
  // If the value is still outside the limits, a new alarm opens soon. Its notifications must not be suppressed as
  // repeats.
  await tx.query(
    `with gone as (delete from tocsin_private.deferred_notification where tocsin_alarm_uuid = $1)
     delete from tocsin_private.last_notified where alarm_uuid = $1 or topic = any ($2::text[])`,
    [alarmUuid, rows.map(topicOf)],
  );
  return events;
}

function quietEvent({ uuid, customer }: ResolvedRow, because: QuietBecause, now: number): NewEvent {
  const detail = { because, stage: because, suppressed: 'resolution' };
  const sentence = quietResolution(because);
  return { alarmUuid: uuid, customerUuid: customer, at: now, kind: 'not-notified', sentence, detail };
}

function draftOf(
  row: ResolvedRow,
  because: string,
  lasts: boolean,
  escalatedTo: Set<string> | undefined,
): NotificationDraft {
  const { uuid, customer, site, site_name, severity, message, opened, resolved, recipients } = row;
  const last = lasts && row.latest !== null ? { value: row.latest, unit: row.unit } : undefined;
  const text = resolvedText({ site: site_name, message, openedAt: opened, resolvedAt: resolved, because, last });
  return {
    alarmUuid: uuid,
    customerUuid: customer,
    siteUuid: site,
    kind: 'resolve',
    step: 0,
    topic: topicOf(row),
    at: resolved,
    messageType: 3,
    severity,
    subject: recipients?.subject ?? message,
    text,
    people: recipients ? resolveRecipients(recipients, escalatedTo) : [],
  };
}
