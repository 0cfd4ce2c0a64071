import type { Context } from '../rule/context.ts';
import type { RecordedConditions } from './criteria.ts';
import { hasValuePlaceholder, limitText, type MessageFacts } from './message.ts';

/** Returns the values for the placeholders of an alarm message. */
export function factsOf(context: Context, value: number | null, at: number): MessageFacts {
  return {
    site: context.siteName,
    asset: context.assetName,
    datapoint: context.datapointName,
    value: context.kind === 'limits' ? value : null,
    limit: limitText(context.lower, context.upper, context.unit),
    unit: context.unit,
    time: new Date(at),
    timeZone: context.timeZone,
  };
}

/**
 * Returns the texts from which `alarmMessage` chooses: the rule's template, the customer's default message and the
 * rule's name.
 */
export function messageTemplates(
  context: Context,
  conditions: RecordedConditions | undefined,
  value: number | null,
): { rule: string; customer: string | null; name: string } {
  const { kind, ruleName: name, defaultMessage: customer } = context;
  if (kind === 'limits') return { rule: context.message, customer, name };
  if (kind === 'conditions') {
    // A multi-condition rule has no single value, so value placeholders of the default message would stay empty. All
    // multi-condition rules at a site would then have the same message and share one alarm. A default message with
    // value placeholders is therefore ignored.
    const fits = customer !== null && !hasValuePlaceholder(customer);
    return { rule: conditions?.rule.message ?? '', customer: fits ? customer : null, name };
  }
  // The message of a digital alarm is the channel's title. If the title is empty or equals the channel name, the
  // message contains the state instead.
  const { channelName, channelTitle } = context;
  if (channelTitle !== '' && channelTitle !== channelName) return { rule: channelTitle, customer, name };
  return { rule: `{asset}: ${channelName} ${stateOf(context, value)}`, customer, name };
}

/** Returns the text for the state of a digital channel. */
export function stateOf({ lowText, highText }: Context, value: number | null): string {
  return (value === 0 ? lowText : highText) || (value === 0 ? 'low' : 'high');
}
