import { type ChannelRule, type TestValue, testValueFor } from '../../../domain/rule/test-value.ts';
import { writeExactly } from '../../ui/formats.ts';
import { durationWords } from '../rule/index.ts';
import type { Sent } from './examples.ts';
import type { SensorRules } from './test-value.queries.ts';

/** Default test value, used if no rule determines the value. */
const USUAL_VALUE = 20.5;

/** Value that the example commands of a sensor send, and its effect. */
export interface ProposedValue {
  sent: Sent;
  /** One sentence for each rule that the value violates, or one sentence that explains why no alarm opens. */
  sentences: string[];
}

/**
 * Returns a test value that opens an alarm, if there is one. `rules` is undefined if the user is not allowed to read
 * rules.
 */
export function proposeValue(
  rules: SensorRules | undefined,
  { isDigital, preferred }: { isDigital: boolean; preferred?: string | undefined },
): ProposedValue {
  const test = rules && testValueFor(rules.channels, preferred);
  if (test) return { sent: { channel: test.channel, value: test.raw }, sentences: brokenWords(test) };
  const sent = { channel: rules?.channels[0]?.number ?? 1, value: isDigital ? 1 : USUAL_VALUE };
  return { sent, sentences: rules ? [noAlarmWords(rules)] : [] };
}

function brokenWords({ raw, value, breaks }: TestValue): string[] {
  const stored = raw === value ? '' : ` (stored as ${writeExactly(value)})`;
  const sentences = breaks.map((rule, index) => {
    const subject = index === 0 ? `The value ${writeExactly(raw)}${stored}` : 'It also';
    return `${subject} ${breakWords(rule)}. ${openWords(rule.debounce)}`;
  });
  return [...new Set(sentences)];
}

function breakWords({ kind, name }: ChannelRule): string {
  return kind === 'state' ? `is an alarm state of the channel “${name}”` : `violates the rule “${name}”`;
}

function openWords(debounce: number): string {
  return debounce === 0
    ? 'The alarm opens as soon as the value arrives.'
    : `The alarm opens ${durationWords(debounce)} after the value arrives, unless a normal value arrives first.`;
}

function noAlarmWords({ channels, disabled }: SensorRules): string {
  const names = [...new Set(channels.flatMap(({ rules }) => rules.map(({ name }) => `“${name}”`)))];
  if (names.length > 0)
    return `No single value from this sensor can violate ${names.join(', ')}, so this value opens no alarm.`;
  return disabled > 0
    ? 'Every rule of this sensor is disabled, so this value opens no alarm.'
    : 'This sensor has no rule yet, so this value opens no alarm.';
}
