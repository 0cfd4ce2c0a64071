import { sentenceOf } from '../../../domain/field-sentences.ts';
import { type Answer, FIRST_REASON } from '../../../domain/notification/answer.ts';
import { answerTexts, type Choice, reasonQuestion } from '../../../domain/notification/answer-texts.ts';
import { METHOD, type MethodType } from '../../../domain/notification/methods.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Transaction } from '../../platform/database.ts';
import { allowedReasons, lockAlarm, type NotifiedAlarm } from './alarms.ts';
import { asPerson, type PersonResult } from './as-person.ts';
import { offeredReasons } from './offers.ts';
import type { Answerer } from './people.ts';

export interface Result {
  outcome:
    | 'acknowledged'
    | 'snoozed'
    | 'asked'
    | 'refused'
    | 'ended'
    | 'acknowledged-before'
    | 'nothing-open'
    | 'unclear';
  /** The confirmation. */
  text: string;
  alarm?: NotifiedAlarm;
  person?: Answerer;
  /** The reasons or choices that the confirmation lists. */
  reasons?: readonly string[];
  choices?: readonly Choice[];
}

export interface Command {
  phone: string;
  method: MethodType;
  answer: Exclude<Answer, { kind: 'unclear' }>;
  alarm: NotifiedAlarm;
  person: Answerer;
  /** Letter by which the person chose the alarm. */
  letter?: string;
}

/** Does what a person answered, with the rights of that person. */
export function act(tx: Transaction, clock: Clock, command: Command): Promise<Result> {
  const { answer } = command;
  return answer.kind === 'snooze' ? snooze(tx, clock, command, answer.minutes) : acknowledge(tx, clock, command);
}

/** Returns the confirmation for an alarm that is not open, or that somebody acknowledged before. */
export function closed(alarm: NotifiedAlarm): Result {
  const { name, resolved, acknowledged } = alarm;
  if (resolved !== null) return { outcome: 'ended', text: answerTexts.ended(name, resolved), alarm };
  const { name: person = 'Another person', at = '' } = acknowledged ?? {};
  return { outcome: 'acknowledged-before', text: answerTexts.acknowledgedBefore(person, at), alarm };
}

async function acknowledge(tx: Transaction, clock: Clock, command: Command): Promise<Result> {
  const { answer, person, method, letter } = command;
  // Waits for an acknowledgement or resolution that is being stored.
  const alarm = await lockAlarm(tx, command.alarm);
  if (alarm.resolved !== null || alarm.acknowledged !== null) return { ...closed(alarm), person };
  const about = { alarm, person };
  const found = await asPerson(tx, person, { clock }, () => allowedReasons(tx, alarm.uuid));
  const allowed = found.ok ? found.value : [];
  const reason = await chooseReason(tx, command, allowed);
  if (reason === undefined) {
    return answer.kind === 'reason' && allowed.length === 0
      ? { outcome: 'refused', text: answerTexts.noSuchReason(answer.number), ...about }
      : { outcome: 'asked', text: reasonQuestion(alarm.name, allowed, letter), reasons: allowed, ...about };
  }
  const channel = method === METHOD.sms ? 'sms-answer' : 'whatsapp-answer';
  const done = await asPerson(tx, person, { clock, settings: { 'tocsin.channel': channel } }, async () => {
    const { rows } = await tx.query<{ reason: string }>('select a.reason from tocsin.acknowledge_alarm($1, $2, $3) a', [
      alarm.uuid,
      reason,
      answer.note || null,
    ]);
    return rows[0]?.reason ?? reason;
  });
  return done.ok
    ? { outcome: 'acknowledged', text: answerTexts.acknowledged(alarm.name, done.value), ...about }
    : { ...refusal(done, alarm), ...about };
}

/** Returns the reason that the person chose; undefined if the person has to be asked. */
async function chooseReason(
  tx: Transaction,
  { answer, alarm, phone, method }: Command,
  allowed: readonly string[],
): Promise<string | undefined> {
  if (answer.kind === 'reason') {
    const offered = (await offeredReasons(tx, { phone, method }, alarm.uuid)) ?? allowed;
    const reason = offered[answer.number - FIRST_REASON];
    // A reason that was removed since is asked for again.
    return reason !== undefined && (allowed.length === 0 || allowed.includes(reason)) ? reason : undefined;
  }
  if (allowed.length === 0) return `Acknowledged by ${methodName(method)}`;
  return allowed.length === 1 ? allowed[0] : undefined;
}

async function snooze(tx: Transaction, clock: Clock, command: Command, minutes: number): Promise<Result> {
  const { alarm, person, answer, method } = command;
  const about = { alarm, person };
  if (alarm.severity === 'critical') {
    return { outcome: 'refused', text: answerTexts.criticalSnooze(alarm.name), ...about };
  }
  const done = await asPerson(tx, person, { clock }, async () => {
    const { rows } = await tx.query<{ until: string }>(
      `select tocsin_private.local_time(s.until) as until from tocsin.shelve('alarm', $1, $2, null, $3) s`,
      [alarm.uuid, answer.note || `Snoozed by ${methodName(method)}`, minutes],
    );
    return rows[0]?.until ?? '';
  });
  return done.ok
    ? { outcome: 'snoozed', text: answerTexts.snoozed(alarm.name, done.value), ...about }
    : { ...refusal(done, alarm), ...about };
}

function refusal({ code, sentence }: PersonResult<never> & { ok: false }, { name }: NotifiedAlarm): Result {
  const isForbidden = code === 'TC404' || code === '42501';
  const text = isForbidden ? answerTexts.forbidden(name) : answerTexts.refused(sentenceOf(sentence));
  return { outcome: 'refused', text };
}

function methodName(method: MethodType): string {
  return method === METHOD.sms ? 'SMS' : 'WhatsApp';
}
