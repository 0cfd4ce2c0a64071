import { beginPlan, layersOfFirstStep, type OnCall, peopleOfAlert } from '../../domain/alarm/begin-plan.ts';
import type { NewEvent } from '../../domain/alarm/event.ts';
import { quietEvent } from '../../domain/alarm/quiet.ts';
import { SILENT_SITE, silenceText } from '../../domain/alarm/texts.ts';
import { type NotificationDraft, type Recipients, recipientOf } from '../../domain/notification/draft.ts';
import type { Person } from '../../domain/notification/recipients.ts';
import type { RuleAlert } from '../../domain/rule/context.ts';
import { loadPeople } from '../notification/people.ts';
import { NotificationQueue, queueNotifications } from '../notification/queue.ts';
import { loadLayers } from '../on-call/load-layers.ts';
import { randomUuid } from '../platform/clock.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import { recordConsequences } from './dependencies.ts';
import { addEvents } from './events.ts';
import { loadQuiet, quieten } from './quiet.ts';
import { resolveAlarms } from './resolve.ts';

const HOUR_MS = 3_600_000;
const noRule = { watchUuid: null, datapointUuid: null, assetUuid: null };

interface SilentSite {
  uuid: string;
  customer: string;
  name: string;
  hours: number;
  heard: number | null;
  /** Uuids of the people who receive health notifications from any rule alert of the site. */
  health: string[];
  resolve: string[];
  alert: RuleAlert | null;
}

/**
 * Opens one alarm for each offline site, regardless of its number of sensors. The alarm's opening time is the end of
 * the health duration, but its escalation starts now. `listening` is the time since which gateways have listened
 * without a long interruption. `queue` must already contain the places of the sites.
 */
export async function openSilentAlarms(
  tx: Transaction,
  siteUuids: readonly string[],
  now: number,
  listening: number,
  queue: NotificationQueue,
): Promise<void> {
  if (siteUuids.length === 0) return;
  const sites = await loadSites(tx, siteUuids);
  const layers = await loadLayers(
    tx,
    sites.flatMap(({ alert }) => layersOfFirstStep(alert)),
    now,
  );
  const onCall = { layers, now };
  const people = await loadPeople(
    tx,
    sites.flatMap(({ customer: customerUuid, health, resolve, alert }) =>
      [...health, ...resolve, ...peopleOfAlert(alert, onCall)].map((uuid) => ({ uuid, customerUuid })),
    ),
  );
  const drafts = sites.map((site) => ({
    site,
    uuid: randomUuid(),
    since: Math.min(now, Math.max(site.heard ?? listening, listening) + site.hours * HOUR_MS),
    ...frozen(site, people, onCall),
  }));
  const { rows } = await tx.query<{ uuid: string }>(
    `insert into tocsin.alarm (uuid, tocsin_customer_uuid, tocsin_site_uuid, site_name, rule_name, source, severity, message, date_time,
       created_at, pending_since, criteria, recipients, plan, plan_repeat, must_acknowledge, next_escalation_at)
     select uuid, customer, site, name, $3, 'silence', 'silent', $3, to_timestamp(since / 1000), to_timestamp($2::float8 / 1000),
       to_timestamp(heard / 1000), criteria, recipients, plan, plan_repeat, must, to_timestamp(next / 1000)
     from ${recordset('d', { uuid: 'uuid', customer: 'uuid', site: 'uuid', name: 'text', heard: 'float8', since: 'float8', criteria: 'jsonb', recipients: 'jsonb', plan: 'jsonb', plan_repeat: 'smallint', must: 'boolean', next: 'float8' })}
     on conflict (tocsin_site_uuid, message) where resolved_date is null do nothing
     returning uuid`,
    [
      JSON.stringify(
        drafts.map(({ uuid, site, since, recipients, plan, position, due, mustAcknowledge }) => ({
          uuid,
          since,
          customer: site.customer,
          site: site.uuid,
          name: site.name,
          heard: site.heard,
          criteria: { kind: 'silence', hours: site.hours },
          recipients,
          plan,
          plan_repeat: position.repeat,
          must: mustAcknowledge,
          next: due,
        })),
      ),
      now,
      SILENT_SITE,
    ],
  );
  const opened = new Set(rows.map(({ uuid }) => uuid));
  const openedSites = drafts.filter(({ uuid }) => opened.has(uuid));
  const found = await loadQuiet(
    tx,
    openedSites.map(({ uuid, site }) => ({ alarmUuid: uuid, context: { ...noRule, siteUuid: site.uuid } })),
    now,
  );
  const quietOf = new Map(openedSites.map(({ uuid }, index) => [uuid, found[index]]));
  await quieten(
    tx,
    [...quietOf].map(([alarmUuid, quiet]) => ({ alarmUuid, quiet })),
  );
  const events: NewEvent[] = [];
  const counted = openedSites.filter(({ uuid }) => !quietOf.get(uuid));
  const flooded = queue.floods.open(
    counted.map(({ uuid, site }) => {
      return { alarmUuid: uuid, customerUuid: site.customer, siteUuid: site.uuid, severity: 'silent' as const };
    }),
  );
  const notifications: NotificationDraft[] = [];
  for (const { uuid, site, since, recipients, sentence } of openedSites) {
    const common = { alarmUuid: uuid, customerUuid: site.customer };
    const quiet = quietOf.get(uuid);
    const silence = silenceText(site.heard, now);
    events.push({
      ...common,
      at: since,
      kind: 'opened',
      sentence: sentence && !quiet ? `${silence} ${sentence}` : silence,
      detail: { hours: site.hours },
    });
    if (quiet) {
      events.push(quietEvent(uuid, site.customer, now, quiet));
      continue;
    }
    notifications.push({
      ...common,
      siteUuid: site.uuid,
      kind: 'health',
      step: 0,
      topic: `silence ${site.uuid}`,
      at: now,
      messageType: 2,
      severity: 'silent',
      subject: recipients.subject,
      text: recipients.text,
      people: recipients.alert,
    });
  }
  events.push(...flooded, ...(await queueNotifications(tx, notifications, now, queue)));
  await addEvents(tx, events);
  await recordConsequences(tx, siteUuids);
}

/** Resolves the silence alarms of sites that are sending data again. */
export async function resolveSilentAlarms(tx: Transaction, siteUuids: readonly string[], now: number): Promise<void> {
  if (siteUuids.length === 0) return;
  const { rows } = await tx.query<{ uuid: string }>(
    `select uuid from tocsin.alarm where tocsin_site_uuid = any ($1::uuid[]) and source = 'silence' and resolved_date is null`,
    [siteUuids],
  );
  if (rows.length === 0) return;
  const because = 'the site is sending data again';
  const sentence = 'The site is sending data again.';
  const notifications = new NotificationQueue(now);
  const { events } = await resolveAlarms(
    tx,
    rows.map(({ uuid }) => ({ alarmUuid: uuid, at: now, how: 'heard-again' as const, sentence, because })),
    [],
    notifications,
    now,
  );
  await notifications.write(tx);
  await addEvents(tx, events);
}

async function loadSites(tx: Transaction, siteUuids: readonly string[]): Promise<SilentSite[]> {
  const { rows } = await tx.query<SilentSite>(
    `select s.uuid, s.tocsin_customer_uuid as customer, s.name, s.tocsin_health_duration_hours as hours,
       extract(epoch from s.last_update)::float8 * 1000 as heard,
       array(select distinct u.tocsin_user_uuid::text from tocsin.rule_alert r join tocsin.rule_alert_user u on u.tocsin_rule_alert_uuid = r.uuid
         where r.tocsin_site_uuid = s.uuid and u.is_health order by 1) as health,
       array(select distinct u.tocsin_user_uuid::text from tocsin.rule_alert r join tocsin.rule_alert_user u on u.tocsin_rule_alert_uuid = r.uuid
         where r.tocsin_site_uuid = s.uuid and u.is_health and u.is_resolve order by 1) as resolve,
       (select json_build_object('uuid', r.uuid, 'users', '[]'::json, 'steps', tocsin_private.plan_steps(r.uuid), 'indAck', r.ind_ack, 'afterMinutes', r.escalate_minutes, 'everyMinutes', r.escalate_interval_minutes,
          'times', r.escalate_count, 'escalate', coalesce((select json_agg(e.tocsin_user_uuid order by e.tocsin_user_uuid)
            from tocsin.rule_escalate_user e where e.tocsin_rule_alert_uuid = r.uuid), '[]'))
        from tocsin.rule_alert r where r.tocsin_site_uuid = s.uuid and r.tocsin_rule_name = $2) as alert
     from tocsin.site s where s.uuid = any ($1::uuid[])`,
    [siteUuids, SILENT_SITE],
  );
  return rows;
}

function frozen(site: SilentSite, people: ReadonlyMap<string, Person>, onCall: OnCall) {
  const { health, resolve, alert, name } = site;
  const reached = (uuids: readonly string[]) =>
    uuids.flatMap((uuid) => {
      const person = people.get(uuid);
      return person ? [recipientOf(person)] : [];
    });
  const recipients: Recipients = {
    alert: reached(health),
    resolve: reached(resolve),
    escalate: reached(alert?.escalate ?? []),
    notes:
      health.length + layersOfFirstStep(alert).length === 0
        ? ['No rule alert of this site notifies anyone when the site is silent.']
        : [],
    subject: `${name}: ${SILENT_SITE}`.slice(0, 200),
    text: `${name}: ${silenceText(site.heard, onCall.now)}`,
  };
  const mustAcknowledge = alert?.indAck ?? true;
  return { recipients, ...beginPlan(alert, recipients, mustAcknowledge, people, onCall), mustAcknowledge };
}
