import { type Answer, parseAnswer } from '../../../domain/notification/answer.ts';
import { type AnswerTarget, answerTarget } from '../../../domain/notification/answer-target.ts';
import { answerTexts, choiceQuestion } from '../../../domain/notification/answer-texts.ts';
import type { MethodType } from '../../../domain/notification/methods.ts';
import { serviceAccess } from '../../access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Transaction } from '../../platform/database.ts';
import type { InboundMessage } from '../../sender/inbound/message.ts';
import { act, closed, type Result } from './act.ts';
import { loadNotifiedAlarms, type NotifiedAlarm } from './alarms.ts';
import { mayConfirm, queueConfirmation } from './confirmations.ts';
import { offeredChoices, storeOffer } from './offers.ts';
import { type Answerer, loadAnswerers } from './people.ts';

/** What became of a message. `repeated`: the provider sent it before, so nothing happened again. */
export type AnswerOutcome = Result['outcome'] | 'unknown' | 'repeated';

export interface InboundSource {
  provider: string;
  method: MethodType;
}

/** Providers state the time in whole seconds, and their clocks can differ a little. */
const CLOCK_TOLERANCE_MS = 5000;

type Said = InboundSource & { phone: string };

/**
 * Takes a message that a person sent: acknowledges or snoozes the alarm it means, and queues a confirmation. All of it
 * is one transaction, so a message that is repeated or arrives at two processes has one effect and one confirmation.
 */
export function takeAnswer(
  { db, clock }: { db: Database; clock: Clock },
  source: InboundSource,
  message: InboundMessage,
): Promise<AnswerOutcome> {
  return db.transaction(serviceAccess(clock), async (tx) => {
    const phone = message.from ?? '';
    // Messages from the same phone number are processed one at a time.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`answer ${phone}`]);
    const { rowCount } = await tx.query(
      `insert into tocsin_private.inbound_message (provider, message_id, address, received_at) values ($1, $2, $3, tocsin_private.clock())
       on conflict do nothing`,
      [source.provider, message.id, phone],
    );
    if (rowCount === 0) return 'repeated';
    const said = { ...source, phone };
    const users = phone === '' ? [] : await loadAnswerers(tx, phone);
    const people = users.filter(({ active }) => active);
    const result = people.length > 0 ? await answered(tx, clock, said, { message, users, people }) : undefined;
    const isConfirmed = await confirm(tx, said, result, people);
    const outcome = result?.outcome ?? 'unknown';
    await tx.query(
      'update tocsin_private.inbound_message set outcome = $3, answered = $4 where provider = $1 and message_id = $2',
      [source.provider, message.id, outcome, isConfirmed],
    );
    return outcome;
  });
}

interface Sender {
  message: InboundMessage;
  /** Everybody with the phone number. */
  users: readonly Answerer[];
  /** The active ones. */
  people: readonly Answerer[];
}

async function answered(
  tx: Transaction,
  clock: Clock,
  said: Said,
  { message, users, people }: Sender,
): Promise<Result> {
  const answer = parseAnswer(message.text);
  if (answer.kind === 'unclear') {
    return { outcome: 'unclear', text: answer.because === 'no-minutes' ? answerTexts.noMinutes : answerTexts.unclear };
  }
  const now = clock.now().getTime();
  const sentAt = message.sentAt?.getTime() ?? now;
  const asked = {
    people: users.map(({ uuid }) => uuid),
    ...said,
    before: new Date(Math.min(now, sentAt + CLOCK_TOLERANCE_MS)),
  };
  // A quoted message that is not about an alarm, such as a confirmation, says nothing about the alarm.
  const quoted = message.quoted ? await loadNotifiedAlarms(tx, { ...asked, quoted: message.quoted }) : [];
  const alarms = quoted.length > 0 ? quoted : await loadNotifiedAlarms(tx, { ...asked, quoted: undefined });
  const list = answer.letter === undefined ? undefined : await offeredChoices(tx, said);
  const target = answerTarget(answer.letter, list, alarms, people);
  return ofTarget(tx, clock, said, answer, target);
}

type Understood = Exclude<Answer, { kind: 'unclear' }>;

async function ofTarget(
  tx: Transaction,
  clock: Clock,
  said: Said,
  answer: Understood,
  target: AnswerTarget<NotifiedAlarm, Answerer>,
): Promise<Result> {
  switch (target.kind) {
    case 'none':
      return { outcome: 'nothing-open', text: answerTexts.nothingOpen };
    case 'closed':
      return closed(target.alarm);
    case 'several':
      return { outcome: 'asked', text: choiceQuestion(answer.command, target.choices), choices: target.choices };
    case 'one':
      return act(tx, clock, { ...said, answer, ...target });
  }
}

/** Queues the confirmation of a result; undefined stands for an unknown number. Returns false if it got too many. */
async function confirm(
  tx: Transaction,
  { phone, method }: Said,
  result: Result | undefined,
  people: readonly Answerer[],
): Promise<boolean> {
  const about = result === undefined ? 'unknown' : result.outcome === 'unclear' ? 'unclear' : 'understood';
  if (phone === '' || !(await mayConfirm(tx, phone, about))) return false;
  const customer = result?.alarm?.customerUuid;
  const asked = result?.choices?.[0]?.person;
  const person =
    result?.person ?? people.find(({ uuid, customerUuid }) => uuid === asked || customerUuid === customer) ?? people[0];
  const alarm = result?.alarm?.customerUuid === person?.customerUuid ? result?.alarm : undefined;
  const text = result?.text ?? answerTexts.unknown;
  const notification = await queueConfirmation(tx, { phone, method, text, person, alarm });
  const { reasons, choices } = result ?? {};
  if (person && (reasons || choices)) {
    await storeOffer(tx, {
      ...{ notification, customer: person.customerUuid, phone, method },
      ...(alarm && { alarm: alarm.uuid }),
      ...(reasons && { reasons }),
      ...(choices && { choices }),
    });
  }
  return true;
}
