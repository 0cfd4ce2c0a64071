import { isAboutOneValue, limitText, type MessageFacts } from '../../domain/alarm/message.ts';
import type { Context } from '../rule/context.ts';
import type { RecordedConditions } from './evaluation-record.ts';

/** What can be filled into the message of an alarm. */
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

/** A digital channel has words for its states; conditions have theirs in the rule. */
export function messageTemplates(
  context: Context,
  conditions: RecordedConditions | undefined,
  value: number | null,
): { rule: string; customer: string | null; name: string } {
  const { kind, ruleName: name, defaultMessage: customer } = context;
  if (kind === 'limits') return { rule: context.message, customer, name };
  if (kind === 'conditions') {
    // By the same few words all conditions of a site would be one alarm, so it is called as its rule.
    const fits = customer !== null && !isAboutOneValue(customer);
    return { rule: conditions?.rule.message ?? '', customer: fits ? customer : null, name };
  }
  // A title that says more than the channel's name is what its alarm is called.
  const { channelName, channelTitle } = context;
  if (channelTitle !== '' && channelTitle !== channelName) return { rule: channelTitle, customer, name };
  return { rule: `{asset}: ${channelName} ${stateOf(context, value)}`, customer, name };
}

/** What a digital channel is called while it has a value. */
export function stateOf({ lowText, highText }: Context, value: number | null): string {
  return (value === 0 ? lowText : highText) || (value === 0 ? 'low' : 'high');
}
