import { smsSegments } from '../sms.ts';
import { FIRST_REASON, LETTERS } from './answer.ts';

/** Longest name of an alarm or reason in a message about an answer, so that the message fits into few segments. */
const LONGEST_NAME = 60;

const SHORTEST = '1=ack';
const ACKNOWLEDGE = `Reply ${SHORTEST}`;
const SNOOZE = '2 30=snooze 30 min';

/** Returns the reasons with their numbers: `3=Rain, 4=Pump blocked`. `letter` is added if the answer needs one. */
function reasonList(reasons: readonly string[], letter = ''): string {
  const after = letter === '' ? '' : ` ${letter}`;
  return reasons.map((reason, place) => `${place + FIRST_REASON}${after}=${brief(reason)}`).join(', ');
}

/**
 * Returns the line that tells the recipient how to answer, from the most detailed line that costs no further SMS
 * segment; undefined if not even the shortest one fits. `text` is the SMS without the line.
 */
export function smsHint(text: string, reasons: readonly string[]): string | undefined {
  const { segments } = smsSegments(text);
  return hints(reasons).find((hint) => smsSegments(`${text} ${hint}`).segments <= segments);
}

/** Returns the line for a method whose messages have no segments. */
export function fullHint(reasons: readonly string[]): string {
  return `${hints(reasons)[0]}.`;
}

function hints(reasons: readonly string[]): string[] {
  const short = `${ACKNOWLEDGE}, ${SNOOZE}`;
  return [...(reasons.length > 1 ? [`${short}, ${reasonList(reasons)}`] : []), short, ACKNOWLEDGE, SHORTEST];
}

/** An open alarm that an answer can mean, and who can have sent the answer. */
export interface Choice {
  person: string;
  personName: string;
  alarm: string;
  alarmName: string;
}

/** Returns the question which alarm is meant, or who answers: `Which alarm? Reply 1 A for Mill: High level, …`. */
export function choiceQuestion(command: string, choices: readonly Choice[]): string {
  const several = (values: string[]) => new Set(values).size > 1;
  const people = several(choices.map(({ person }) => person));
  const alarms = several(choices.map(({ alarm }) => alarm));
  const name = ({ personName, alarmName }: Choice) =>
    [...(people ? [brief(personName)] : []), ...(alarms ? [brief(alarmName)] : [])].join(', ');
  const listed = choices
    .slice(0, LETTERS.length)
    .map((choice, place) => `${command} ${LETTERS[place]} for ${name(choice)}`);
  const more = choices.length - listed.length;
  const rest = more > 0 ? ` ${more} more: see the console.` : '';
  const [question, about] = people
    ? [
        alarms ? 'Who are you, and which alarm?' : 'Who are you?',
        alarms ? '' : ` (${brief(choices[0]?.alarmName ?? '')})`,
      ]
    : ['Which alarm?', ''];
  return `${question} Reply ${listed.join(', ')}.${rest}${about}`;
}

export function reasonQuestion(alarmName: string, reasons: readonly string[], letter?: string): string {
  return `Which reason? Reply ${reasonList(reasons, letter)}. ${brief(alarmName)}`;
}

const UNCHANGED = 'Nothing was changed.';
const HOW = `${ACKNOWLEDGE}, ${SNOOZE}.`;

/** The messages that say what became of an answer. */
export const answerTexts = {
  acknowledged: (alarmName: string, reason: string) => `Acknowledged: ${brief(alarmName)}. Reason: ${brief(reason)}.`,
  snoozed: (alarmName: string, until: string) => `Snoozed until ${until}: ${brief(alarmName)}.`,
  refused: (sentence: string) => `${sentence} ${UNCHANGED}`,
  forbidden: (alarmName: string) => `You are not allowed to change this alarm: ${brief(alarmName)}. ${UNCHANGED}`,
  criticalSnooze: (alarmName: string) =>
    `A critical alarm cannot be snoozed by a message. Shelve it in the console: ${brief(alarmName)}. ${UNCHANGED}`,
  ended: (alarmName: string, at: string) => `Resolved on ${at}: ${brief(alarmName)}. ${UNCHANGED}`,
  acknowledgedBefore: (name: string, at: string) => `${name} acknowledged this alarm first, on ${at}. ${UNCHANGED}`,
  nothingOpen: `No open alarm was sent to this number. ${UNCHANGED}`,
  noSuchReason: (number: number) => `There is no reason ${number}. ${HOW} ${UNCHANGED}`,
  unclear: `Not understood. ${HOW} ${UNCHANGED}`,
  noMinutes: `Add the minutes: 2 30 snoozes for 30 minutes. ${UNCHANGED}`,
  unknown: `This number belongs to no active user. ${UNCHANGED}`,
} as const;

function brief(name: string): string {
  const words = [...name.replace(/\s+/g, ' ').trim().replace(/\.$/, '')];
  return words.length <= LONGEST_NAME
    ? words.join('')
    : `${words
        .slice(0, LONGEST_NAME - 3)
        .join('')
        .trimEnd()}...`;
}
