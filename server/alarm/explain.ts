import type { EscalationPlan } from '../../domain/alarm/escalation.ts';
import { exactDuration } from '../../domain/alarm/exact-duration.ts';
import { limitText } from '../../domain/alarm/message.ts';
import { displayNumber } from '../../domain/alarm/number-text.ts';
import { quietReasons } from '../../domain/alarm/quiet.ts';
import type { Sample } from '../../domain/alarm/samples.ts';
import { type Recipient, type Recipients, resolveRecipients } from '../../domain/notification/draft.ts';
import { stages } from '../../domain/notification/stages.ts';
import { limitsOf, placeValue } from '../../domain/rule/limits.ts';
import { isOutside } from '../../domain/rule/replay.ts';
import { loadEscalatedTo } from '../notification/escalated-to.ts';
import type { Transaction } from '../platform/database.ts';
import type { RecordedTransition } from '../rule/explain-rule.ts';

/** Limits, digital state, conditions or health duration that opened the alarm (`alarm.criteria`). */
export interface Criteria {
  kind: 'limits' | 'digital' | 'conditions' | 'silence';
  lower?: number | null;
  upper?: number | null;
  clearLower?: number | null;
  clearUpper?: number | null;
  debounce?: number;
  alarmState?: string;
  lowText?: string;
  highText?: string;
  words?: string;
  /** Text with the values that met the conditions. */
  measured?: string;
  ruleJson?: string;
  hours?: number;
}

export type AlarmSource = Criteria['kind'] | 'person';

interface AlarmRow {
  uuid: string;
  source: AlarmSource;
  message: string;
  site: string;
  datapoint: string;
  ruleUuid: string | null;
  ruleName: string;
  version: number | null;
  /** Current version of the rule; null if it is deleted or has no versions. */
  versionNow: number | null;
  openedAt: number;
  recordedAt: number;
  pendingSince: number | null;
  value: number | null;
  unit: string;
  criteria: Criteria | null;
  samples: Sample[] | null;
  recipients: Recipients | null;
  plan: EscalationPlan | null;
  mustAcknowledge: boolean;
  escalationStep: number;
  nextEscalationAt: number | null;
  occurrences: number;
  lastOccurredAt: number | null;
}

export interface ExplainedMessage {
  uuid: string;
  name: string;
  address: string;
  methodType: number;
  kind: string;
  step: number;
  text: string;
  state: string;
  attempts: number;
  queuedAt: number;
  sentAt: number | null;
  deliveredAt: number | null;
  failedAt: number | null;
  nextAttemptAt: number | null;
  provider: string;
  providerAnswer: string;
}

export interface AlarmEvent {
  at: number;
  kind: string;
  sentence: string;
  detail: { because?: string; stage?: string; user?: string } | null;
}

export interface ExplainedRecipient extends Recipient {
  notifiedWhen: 'when-it-opens' | 'when-it-resolves' | 'when-nobody-acknowledges';
}

export interface AlarmExplanation extends Omit<AlarmRow, 'samples' | 'recipients'> {
  because: string;
  sentence: string;
  samples: (Sample & { out: boolean | null })[];
  transitions: RecordedTransition[];
  /** Suppression stages in order, each with the timeline events of the notifications that it suppressed. */
  stages: { name: string; held: AlarmEvent[] }[];
  recipients: ExplainedRecipient[];
  notes: string[];
  messages: ExplainedMessage[];
  timeline: AlarmEvent[];
}

const MOST_RECORDS = 500;
const MILLISECONDS = (column: string) => `extract(epoch from ${column})::float8 * 1000`;

/** Explains why an alarm opened and what followed. Returns undefined if the user is not allowed to see the alarm. */
export async function explainAlarm(tx: Transaction, uuid: string): Promise<AlarmExplanation | undefined> {
  const alarm = await loadAlarm(tx, uuid);
  if (!alarm) return undefined;
  const transitions = await loadTransitions(tx, alarm);
  const timeline = await loadTimeline(tx, uuid);
  const messages = await loadMessages(tx, uuid);
  const escalatedTo = (await loadEscalatedTo(tx, [{ ...alarm, hasSteps: alarm.plan?.steps !== undefined }])).get(uuid);
  const { samples, recipients, ...rest } = alarm;
  const because = transitions.find(({ from }) => from === 'normal')?.because ?? causeOf(alarm);
  return {
    ...rest,
    because,
    sentence: sentenceOf(alarm),
    samples: (samples ?? []).map((sample) => ({ ...sample, out: isSampleOut(alarm, sample) })),
    transitions,
    stages: [...quietReasons, ...stages.map(({ name }) => name)].map((name) => ({
      name,
      held: timeline.filter(({ detail }) => detail?.stage === name),
    })),
    recipients: recipients ? recipientsOf(recipients, escalatedTo) : [],
    notes: recipients?.notes ?? [],
    messages,
    timeline,
  };
}

function recipientsOf(recipients: Recipients, escalatedTo: ReadonlySet<string> | undefined): ExplainedRecipient[] {
  const { alert, escalate } = recipients;
  return [
    ...alert.map((person) => ({ ...person, notifiedWhen: 'when-it-opens' as const })),
    ...escalate.map((person) => ({ ...person, notifiedWhen: 'when-nobody-acknowledges' as const })),
    ...resolveRecipients(recipients, escalatedTo).map((person) => ({
      ...person,
      notifiedWhen: 'when-it-resolves' as const,
    })),
  ];
}

/**
 * Returns whether a sample is outside the alarm's limits. Returns null for alarms without limits: multi-condition rules
 * and offline sites.
 */
function isSampleOut({ criteria }: AlarmRow, { value }: Sample): boolean | null {
  if (criteria?.kind === 'digital') return (value === 0) === (criteria.alarmState === 'low');
  if (criteria?.kind !== 'limits') return null;
  const { lower = null, upper = null, clearLower = null, clearUpper = null } = criteria;
  return isOutside(placeValue(limitsOf({ lower, upper, clearLower, clearUpper }), value));
}

/** Returns what opened an alarm for which no transitions are recorded. */
function causeOf({ source, value, criteria }: AlarmRow): string {
  if (source === 'silence') return 'site-silent';
  if (source === 'person') return 'reported';
  if (source !== 'limits' || value === null) return 'alarm-state';
  return value < (criteria?.lower ?? Number.NEGATIVE_INFINITY) ? 'below-lower' : 'above-upper';
}

function sentenceOf(alarm: AlarmRow): string {
  const { source, criteria, datapoint, value, unit, ruleName, version, openedAt, pendingSince } = alarm;
  if (source === 'person') return 'A person reported the alarm.';
  if (!criteria) return 'The rule and its limits are not recorded.';
  if (source === 'silence') return `No sensor at ${alarm.site} sent data for ${criteria.hours} hours.`;
  const waited = pendingSince === null ? 0 : openedAt - pendingSince;
  const held = waited > 0 ? ` This lasted for ${exactDuration(waited)} (debounce).` : '';
  const rule = version === null ? `the rule "${ruleName}"` : `version ${version} of the rule "${ruleName}"`;
  if (source === 'conditions') {
    return `The conditions of ${rule} were met${criteria.measured ? `: ${criteria.measured}` : ''}.${held}`;
  }
  if (source === 'digital') {
    const text = (criteria.alarmState === 'low' ? criteria.lowText : criteria.highText) || criteria.alarmState;
    return `${datapoint} was in its alarm state, ${text}.${held}`;
  }
  const was = value === null ? 'out of limits' : `${displayNumber(value)} ${unit}`.trim();
  const limit = limitText(criteria.lower ?? null, criteria.upper ?? null, unit, displayNumber);
  return `${datapoint} was ${was}, and ${rule} opens an alarm ${limit}.${held}`;
}

async function loadAlarm(tx: Transaction, uuid: string): Promise<AlarmRow | undefined> {
  const { rows } = await tx.query<AlarmRow>(
    `select a.uuid, a.source, a.message, a.site_name as site, a.datapoint_name as datapoint, a.rule_uuid as "ruleUuid",
       a.rule_name as "ruleName", a.rule_version as version, coalesce((select r.version from tocsin.rule r where r.uuid = a.rule_uuid),
         (select j.version from tocsin.rules_json j where j.uuid = a.rule_uuid)) as "versionNow",
       ${MILLISECONDS('a.date_time')} as "openedAt", ${MILLISECONDS('a.created_at')} as "recordedAt",
       ${MILLISECONDS('a.pending_since')} as "pendingSince", a.value, a.unit, a.criteria as "criteria", a.samples, a.recipients, a.plan,
       a.must_acknowledge as "mustAcknowledge", a.escalation_step as "escalationStep",
       ${MILLISECONDS('a.next_escalation_at')} as "nextEscalationAt", a.occurrences, ${MILLISECONDS('a.last_occurred_at')} as "lastOccurredAt"
     from tocsin.alarm a where a.uuid = $1`,
    [uuid],
  );
  return rows[0];
}

/**
 * Loads the transitions that refer to the alarm. Also loads the transition in which the rule that opened the alarm left
 * the normal state. If that transition was recorded before the alarm existed, it does not refer to the alarm.
 */
async function loadTransitions(tx: Transaction, alarm: AlarmRow): Promise<RecordedTransition[]> {
  const { rows } = await tx.query<RecordedTransition>(
    `select ${MILLISECONDS('t.at')} as at, ${MILLISECONDS('t.noticed_at')} as "noticedAt", t.from_phase as "from", t.to_phase as "to",
       t.because, t.value, t.rule_version as version, t.tocsin_alarm_uuid as "alarmUuid"
     from tocsin.rule_transition t
     where t.tocsin_alarm_uuid = $1 or (t.watch_uuid = $2 and t.at = to_timestamp($3::float8 / 1000) and t.from_phase = 'normal')
     order by t.at, t.id limit ${MOST_RECORDS}`,
    [alarm.uuid, alarm.ruleUuid, alarm.pendingSince],
  );
  return rows;
}

async function loadTimeline(tx: Transaction, uuid: string): Promise<AlarmEvent[]> {
  const { rows } = await tx.query<AlarmEvent>(
    `select ${MILLISECONDS('e.at')} as at, e.kind, e.sentence, e.detail from tocsin.alarm_event e
     where e.tocsin_alarm_uuid = $1 order by e.at, e.id limit ${MOST_RECORDS}`,
    [uuid],
  );
  return rows;
}

async function loadMessages(tx: Transaction, uuid: string): Promise<ExplainedMessage[]> {
  const { rows } = await tx.query<ExplainedMessage>(
    `select n.uuid, n.recipient_name as name, n.address, n.method_type as "methodType", n.kind, n.step, n.notify_message as text, n.state,
       n.attempts, ${MILLISECONDS('n.notify_time')} as "queuedAt", ${MILLISECONDS('n.sent_at')} as "sentAt",
       ${MILLISECONDS('n.delivered_at')} as "deliveredAt", ${MILLISECONDS('n.failed_at')} as "failedAt",
       ${MILLISECONDS('n.next_attempt_at')} as "nextAttemptAt", n.provider, n.provider_answer as "providerAnswer"
     from tocsin.notification n
     where n.tocsin_alarm_uuid = $1 and n.kind <> 'digest' or n.uuid in (select d.uuid from tocsin_definer.digests_of_alarm($1) d)
     order by n.sequence_number limit ${MOST_RECORDS}`,
    [uuid],
  );
  return rows;
}
