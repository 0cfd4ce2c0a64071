import { type BegunPlan, beginFirstStep } from '../../domain/alarm/begin-plan.ts';
import { escalationAfter } from '../../domain/alarm/escalation.ts';
import type { NewEvent } from '../../domain/alarm/event.ts';
import { type PlanPosition, resolveStep } from '../../domain/alarm/plan.ts';
import type { PlacedOpening } from '../../domain/alarm/plan-openings.ts';
import {
  type Quiet,
  type QuietBecause,
  type QuietFact,
  quietEnded,
  quietSentence,
  stillOpenText,
} from '../../domain/alarm/quiet.ts';
import type { NotificationDraft, Recipients } from '../../domain/notification/draft.ts';
import { loadCurrentRecipients, type NotifiedAlarm, topicOf } from '../notification/current-recipients.ts';
import { loadPeople } from '../notification/people.ts';
import { queueNotifications } from '../notification/queue.ts';
import { loadLayers } from '../on-call/load-layers.ts';
import type { Transaction } from '../platform/database.ts';
import { recordset } from '../platform/recordset.ts';
import { addEvents } from './events.ts';

/** The place of an alarm. Its uuids determine whether the alarm is quiet, for example because the site is shelved. */
interface Place {
  alarmUuid: string;
  context: { watchUuid: string | null; datapointUuid: string | null; assetUuid: string | null; siteUuid: string };
}

/** A row that the SQL function `tocsin_private.quiet_of` returns. */
type FoundQuiet = QuietFact & { place: number; source: string | null; until: number | null };

/**
 * Returns for each place, in the same order, why it is quiet; undefined if it is not. Call it after the alarms are
 * inserted: a change that makes a place quiet locks the site's row, so it was either committed before this query or
 * waits for this transaction.
 */
export async function loadQuiet(
  tx: Transaction,
  places: readonly Place[],
  now: number,
): Promise<(Quiet | undefined)[]> {
  const wanted = places.map(({ alarmUuid, context }, place) => {
    const { watchUuid, datapointUuid, assetUuid, siteUuid } = context;
    return { place, alarm: alarmUuid, rule: watchUuid, datapoint: datapointUuid, asset: assetUuid, site: siteUuid };
  });
  const { rows } = await tx.query<FoundQuiet>(
    `select p.place, q.because, q.source, q.words, extract(epoch from q.until)::float8 * 1000 as until
     from ${recordset('p', { place: 'int', alarm: 'uuid', rule: 'uuid', datapoint: 'uuid', asset: 'uuid', site: 'uuid' })}
     cross join lateral tocsin_private.quiet_of(p.alarm, p.rule, p.datapoint, p.asset, p.site, to_timestamp($2::float8 / 1000)) q`,
    [JSON.stringify(wanted), now],
  );
  const found = new Map(rows.map((row) => [row.place, row]));
  return places.map((_, place) => {
    const quiet = found.get(place);
    if (!quiet) return undefined;
    const { because, source, until } = quiet;
    return { because, source, until, sentence: quietSentence(quiet) };
  });
}

/** Marks new alarms as quiet, so that they do not escalate. */
export async function quieten(
  tx: Transaction,
  opened: readonly Pick<PlacedOpening, 'alarmUuid' | 'quiet'>[],
): Promise<void> {
  const rows = opened.flatMap(({ alarmUuid: uuid, quiet }) =>
    quiet ? [{ uuid, because: quiet.because, until: quiet.until, source: quiet.source }] : [],
  );
  if (rows.length === 0) return;
  await tx.query(
    `update tocsin.alarm a set quiet_because = q.because, opened_quiet = q.because, quiet_until = to_timestamp(q.until / 1000),
       quiet_source = q.source, tocsin_shelving_uuid = case q.because when 'shelved' then q.source end, next_escalation_at = null
     from ${recordset('q', { uuid: 'uuid', because: 'text', until: 'float8', source: 'uuid' })} where a.uuid = q.uuid`,
    [JSON.stringify(rows)],
  );
}

interface QuietAlarm extends NotifiedAlarm {
  message: string;
  acknowledged: boolean;
  /** Position in a plan with steps. */
  planStep: number;
  planRepeat: number;
  reminders: number;
  /** The reason for being quiet that has ended. */
  ended: QuietBecause;
  endedSource: string | null;
  /** The cause whose alarm ended; null if this alarm was not a consequence. */
  cause: string | null;
  /** The reason why the alarm stays quiet; null if it is no longer quiet. */
  next: (QuietFact & { source: string | null; until: number | null }) | null;
}

const AT_ONCE = 100;

/**
 * Ends the quiet time of alarms that are due, and notifies their recipients that these alarms are still open. An alarm
 * that has another reason to be quiet stays quiet. Returns the number of alarms.
 */
export async function endQuiet(tx: Transaction, now: number): Promise<number> {
  const { rows } = await tx.query<QuietAlarm>(
    `with due as materialized (
       select a.* from tocsin.alarm a where a.quiet_until <= to_timestamp($1::float8 / 1000) and a.resolved_date is null
       order by a.quiet_until limit ${AT_ONCE} for update skip locked)
     select a.uuid, a.tocsin_customer_uuid as customer, a.tocsin_site_uuid as site, a.rule_uuid as rule, a.severity, a.plan, a.recipients,
       a.source, a.message, a.reminders, a.plan_step as "planStep", a.plan_repeat as "planRepeat", a.acknowledge_json is not null as acknowledged,
       round(extract(epoch from a.date_time) * 1000)::float8 as happened, extract(epoch from a.created_at)::float8 * 1000 as opened,
       a.quiet_because as ended, coalesce(a.quiet_source, a.tocsin_shelving_uuid) as "endedSource",
       case a.quiet_because when 'dependency' then (select tocsin_private.cause_text_at(a.tocsin_site_uuid, c.tocsin_site_uuid,
         c.source, c.rule_name, c.site_name) from tocsin.alarm c where c.uuid = a.quiet_source) end as cause,
       case when q.because is not null then jsonb_build_object('because', q.because, 'source', q.source, 'words', q.words,
         'until', extract(epoch from q.until)::float8 * 1000) end as next
     from due a left join lateral tocsin_private.quiet_of_alarm(a.uuid, to_timestamp($1::float8 / 1000)) q on true`,
    [now],
  );
  if (rows.length === 0) return 0;
  const over = rows.filter(({ next }) => next === null);
  const begun = await beginAgain(tx, over, now);
  const people = await loadCurrentRecipients(tx, over, 'alert');
  const changes = rows.map(({ uuid, next, plan, acknowledged, reminders, planStep, planRepeat }) => {
    const again = begun.get(uuid);
    const due = plan && (again ? again.due : escalationAfter(plan, now, { step: planStep, repeat: planRepeat }));
    return {
      ...{ uuid, because: next?.because, source: next?.source, until: next?.until },
      escalates: next === null && !acknowledged ? (due ?? null) : null,
      reminders: next === null ? reminders + 1 : reminders,
      planRepeat: again?.position.repeat ?? planRepeat,
      recipients: again?.recipients ?? null,
    };
  });
  await tx.query(
    `update tocsin.alarm a set quiet_because = q.because, quiet_source = q.source, quiet_until = to_timestamp(q.until / 1000),
       tocsin_shelving_uuid = case q.because when 'shelved' then q.source end, next_escalation_at = to_timestamp(q.escalates / 1000),
       reminders = q.reminders, plan_repeat = q."planRepeat", recipients = coalesce(q.recipients, a.recipients)
     from ${recordset('q', { uuid: 'uuid', because: 'text', source: 'uuid', until: 'float8', escalates: 'float8', reminders: 'smallint', planRepeat: 'smallint', recipients: 'jsonb' })}
     where a.uuid = q.uuid`,
    [JSON.stringify(changes)],
  );
  const changed = rows.filter(({ next, endedSource }) => next?.source !== endedSource);
  const events = changed.map(({ uuid, customer, ended, next, cause }): NewEvent => {
    const { kind, sentence } = quietEnded(ended, next ?? undefined, cause);
    const step = begun.get(uuid)?.sentence;
    return {
      alarmUuid: uuid,
      customerUuid: customer,
      at: now,
      kind,
      sentence: step ? `${sentence} ${step}` : sentence,
    };
  });
  const drafts = over.map((alarm) => {
    const again = begun.get(alarm.uuid);
    const named = (people.get(alarm.uuid) ?? []).filter(({ onCall }) => !again || onCall === undefined);
    const onCall = again?.notified.filter((person) => person.onCall !== undefined) ?? [];
    return reminderOf(alarm, [...named, ...onCall], now);
  });
  events.push(...(await queueNotifications(tx, drafts, now)));
  await addEvents(tx, events);
  return rows.length;
}

interface BegunAgain extends Pick<BegunPlan, 'notified' | 'sentence'> {
  position: PlanPosition;
  due: number | null;
  recipients: Recipients;
}

/** Resolves the rotas of the first step of each plan again, because the recipients of the reminder are on call now. */
async function beginAgain(
  tx: Transaction,
  alarms: readonly QuietAlarm[],
  now: number,
): Promise<Map<string, BegunAgain>> {
  const firstOf = ({ plan }: QuietAlarm) => plan?.steps?.[0];
  const layers = await loadLayers(
    tx,
    alarms.flatMap((alarm) => firstOf(alarm)?.layers.map(({ uuid }) => uuid) ?? []),
    now,
  );
  const resolved = alarms.flatMap((alarm) => {
    const first = firstOf(alarm);
    const found = first ? resolveStep(first, layers, now).people : [];
    return found.map(({ uuid }) => ({ uuid, customerUuid: alarm.customer }));
  });
  const people = await loadPeople(tx, resolved);
  const begun = new Map<string, BegunAgain>();
  for (const alarm of alarms) {
    const first = firstOf(alarm);
    if (!alarm.plan || !first || !alarm.recipients) continue;
    const recipients = { ...alarm.recipients };
    const again = beginFirstStep(alarm.plan, first, recipients, people, { layers, now });
    // A later step stays where it was. It goes on after its wait.
    const position = { step: alarm.planStep, repeat: alarm.planRepeat };
    const later = alarm.planStep > 1 && { position, due: escalationAfter(alarm.plan, now, position) ?? null };
    begun.set(alarm.uuid, { ...again, recipients, ...later });
  }
  return begun;
}

function reminderOf(alarm: QuietAlarm, people: NotificationDraft['people'], now: number): NotificationDraft {
  const { uuid, customer, site, severity, recipients, opened, happened, source, message } = alarm;
  return {
    alarmUuid: uuid,
    customerUuid: customer,
    siteUuid: site,
    kind: 'reminder',
    step: alarm.reminders + 1,
    topic: topicOf(alarm),
    at: happened + (now - opened),
    messageType: source === 'silence' ? 2 : 1,
    severity,
    subject: recipients?.subject ?? message,
    text: stillOpenText(alarm.ended, recipients?.text ?? message, alarm.cause),
    people,
  };
}
