import { type MethodType, methodNames, methodTitle } from '../../../domain/notification/methods.ts';
import { counted } from '../../kit/format/number.ts';

interface Problem {
  methodType: number | null;
  cause: string | null;
  messages: number | null;
  alarms: number | null;
  answer: string | null;
}

/** `SMS could not be sent: no SMS sender is set up. 3 messages about 2 alarms reached nobody.` */
export function problemWords({ methodType, cause, messages, alarms, answer }: Problem): string {
  const name = methodNames[methodType as MethodType] ?? 'message';
  const why =
    cause === 'no-sender'
      ? `no ${name} sender is set up`
      : `the ${name} sender fails${answer ? ` (${answer.replace(/\.$/, '')})` : ''}`;
  const about = alarms ? ` about ${counted(alarms, 'alarm')}` : '';
  return `${methodTitle(methodType ?? 0)} could not be sent: ${why}. ${counted(messages ?? 0, 'message')}${about} not delivered.`;
}

/** `e-mail, SMS and app push` */
export function methodList(methods: readonly (number | null)[]): string {
  const names = methods.map((method) => methodNames[method as MethodType] ?? 'message');
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? 'message');
}
