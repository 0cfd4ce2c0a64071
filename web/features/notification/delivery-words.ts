import { type MethodType, methodNames, methodTitle } from '../../../domain/notification/methods.ts';
import { plural } from '../../../domain/plural.ts';
import { counted } from '../../kit/format/number.ts';

interface Problem {
  methodType: number | null;
  cause: string | null;
  messages: number | null;
  alarms: number | null;
  answer: string | null;
  since: string | null;
}

export interface DeliveryNotice {
  words: string;
  /**
   * True to highlight the notice. False in a demo without senders, which intentionally keeps messages in the outbox.
   */
  isLoud: boolean;
  since: string | null;
  /** Text of the link to the Senders page; null if that page does not help this user. */
  link: string | null;
}

/** Returns one notice for all methods without a sender, and one for each failing sender. */
export function deliveryNotices(problems: readonly Problem[], isDemo: boolean, readsOutbox: boolean): DeliveryNotice[] {
  const unset = problems.filter(({ cause }) => cause === 'no-sender');
  const failing = problems.filter(({ cause }) => cause !== 'no-sender');
  const notices = failing.map((problem) => ({
    words: failingWords(problem),
    isLoud: true,
    since: problem.since,
    link: 'See Senders',
  }));
  if (unset.length === 0) return notices;
  const since = unset.map((problem) => problem.since ?? '').sort()[0] || null;
  const methods = methodList(unset.map(({ methodType }) => methodType));
  return [
    isDemo
      ? {
          words: `This demo keeps ${methods} messages in the outbox.${readsOutbox ? '' : ' Only an owner can read them.'}`,
          isLoud: false,
          since,
          link: readsOutbox ? 'See Senders' : null,
        }
      : {
          words: `No sender is set up for ${methods}, so nobody is notified this way. ${lossWords(unset)}`,
          isLoud: true,
          since,
          link: 'Set up a sender',
        },
    ...notices,
  ];
}

/**
 * Returns, for example, `SMS cannot be sent: the SMS sender is failing (timeout). 3 messages about 2 alarms were not
 * delivered.`
 */
function failingWords(problem: Problem): string {
  const name = methodNames[problem.methodType as MethodType] ?? 'message';
  const answer = problem.answer ? ` (${problem.answer.replace(/\.$/, '')})` : '';
  return `${methodTitle(problem.methodType ?? 0)} cannot be sent: the ${name} sender is failing${answer}. ${lossWords([problem])}`;
}

/**
 * Returns, for example, `3 messages about 2 alarms were not delivered.` For several methods, omits the number of
 * alarms, because the same alarm can be counted for each method.
 */
function lossWords(problems: readonly Problem[]): string {
  const messages = problems.reduce((sum, problem) => sum + (problem.messages ?? 0), 0);
  const [only] = problems;
  const about = problems.length > 1 ? ' about alarms' : only?.alarms ? ` about ${counted(only.alarms, 'alarm')}` : '';
  return `${counted(messages, 'message')}${about} ${plural(messages, 'was', 'were')} not delivered.`;
}

/** Returns the names of the methods as a list: `e-mail, SMS and app push`. */
export function methodList(methods: readonly (number | null)[]): string {
  const names = methods.map((method) => methodNames[method as MethodType] ?? 'message');
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? 'message');
}
