import { DIGITAL } from '../../../domain/datapoint.ts';
import { type ChannelRule, testValueFor } from '../../../domain/rule/test-value.ts';

/** A rule with its channel. */
export interface Watched {
  ruleName: string;
  lower: number | null;
  upper: number | null;
  debounce: number;
  sensor: { uuid: string; uid: string; type: number; format: string };
  channel: { number: number; factor: number; offset: number; decimals: number | null };
}

/** A test value that violates a rule, with its sensor and channel. */
export interface Trial {
  ruleName: string;
  debounce: number;
  sensor: { uuid: string; uid: string; format: string };
  channel: number;
  /** Raw value, before the channel's factor and offset. */
  value: number;
}

/** Returns a test value that makes the rule open an alarm; undefined if no value can do so. */
export function trialOf({ ruleName, lower, upper, debounce, sensor, channel }: Watched): Trial | undefined {
  const { number, ...scaling } = channel;
  const rules: ChannelRule[] = [{ kind: 'limits', name: ruleName, debounce, lower, upper }];
  const proposed = testValueFor([{ number, scaling, isDigital: sensor.type === DIGITAL, rules }]);
  return (
    proposed && {
      ruleName,
      debounce,
      sensor: { uuid: sensor.uuid, uid: sensor.uid, format: sensor.format },
      channel: number,
      value: proposed.raw,
    }
  );
}
