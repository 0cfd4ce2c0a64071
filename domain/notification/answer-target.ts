import { LETTERS } from './answer.ts';
import type { Choice } from './answer-texts.ts';

/** An alarm of which a phone number was notified. Times and names are texts for the person. */
export interface AnswerAlarm {
  uuid: string;
  customerUuid: string;
  name: string;
  /** When it was resolved; null if it is open. */
  resolved: string | null;
  acknowledged: { name: string; at: string } | null;
}

export interface AnswerPerson {
  uuid: string;
  customerUuid: string;
  name: string;
}

export type AnswerTarget<A extends AnswerAlarm, P extends AnswerPerson> =
  | { kind: 'one'; alarm: A; person: P; letter?: string }
  /** Several alarms or people can be meant. */
  | { kind: 'several'; choices: Choice[] }
  /** No alarm is open and unacknowledged. `alarm` is the one that was notified last. */
  | { kind: 'closed'; alarm: A }
  | { kind: 'none' };

/**
 * Decides which alarm an answer means, and who sent it. `alarms` are those of which the number was notified, the last
 * notified one first; `people` are the active users with the number. A letter chooses from the list that the number
 * was sent. Without a list, a letter is a part of the text.
 */
export function answerTarget<A extends AnswerAlarm, P extends AnswerPerson>(
  letter: string | undefined,
  list: readonly Choice[] | undefined,
  alarms: readonly A[],
  people: readonly P[],
): AnswerTarget<A, P> {
  const chosen = list?.[letter === undefined ? -1 : LETTERS.indexOf(letter)];
  const alarm = alarms.find(({ uuid }) => uuid === chosen?.alarm);
  const person = people.find((one) => one.uuid === chosen?.person && one.customerUuid === alarm?.customerUuid);
  if (alarm && person) {
    return isWaiting(alarm) ? { kind: 'one', alarm, person, ...(letter && { letter }) } : { kind: 'closed', alarm };
  }
  const pairs = alarms
    .filter(isWaiting)
    .flatMap((open) =>
      people
        .filter(({ customerUuid }) => customerUuid === open.customerUuid)
        .map((one) => ({ alarm: open, person: one })),
    );
  const [first, second] = pairs;
  if (first && !second) return { kind: 'one', ...first };
  if (second) {
    const choices = pairs.map((pair) => ({
      ...{ person: pair.person.uuid, personName: pair.person.name },
      ...{ alarm: pair.alarm.uuid, alarmName: pair.alarm.name },
    }));
    return { kind: 'several', choices };
  }
  const last = alarms.find((one) => !isWaiting(one));
  return last ? { kind: 'closed', alarm: last } : { kind: 'none' };
}

/** Returns whether an alarm is open and nobody has acknowledged it. */
function isWaiting({ resolved, acknowledged }: AnswerAlarm): boolean {
  return resolved === null && acknowledged === null;
}
