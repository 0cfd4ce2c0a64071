import { DIGITAL } from '../../../domain/datapoint.ts';
import { scale } from '../../../domain/frame/scale.ts';
import { limitsOf, placeValue } from '../../../domain/rule/limits.ts';

/** A rule with the channel that it watches. */
export interface Watched {
  ruleName: string;
  lower: number | null;
  upper: number | null;
  debounce: number;
  sensor: { uuid: string; uid: string; type: number; format: string };
  channel: { number: number; factor: number; offset: number; decimals: number | null };
}

/** A value for a channel that breaks a rule. */
export interface Trial {
  ruleName: string;
  debounce: number;
  sensor: { uuid: string; uid: string; format: string };
  channel: number;
  /** As the device sends it, before the channel's factor and offset. */
  value: number;
}

/** What to send so that the rule's alarm opens; undefined where no value would do. */
export function trialOf({ ruleName, lower, upper, debounce, sensor, channel }: Watched): Trial | undefined {
  const limits = limitsOf({ lower, upper, clearLower: null, clearUpper: null });
  const wanted = sensor.type === DIGITAL ? [1, 0] : [beyond(upper, 1), beyond(lower, -1)];
  const value = wanted
    .filter((out) => out !== null)
    .map((out) => Number(((out - channel.offset) / channel.factor).toPrecision(6)))
    .find((raw) => {
      const place = placeValue(limits, scale(raw, channel) ?? Number.NaN);
      return place === 'above' || place === 'below';
    });
  return value === undefined
    ? undefined
    : {
        ruleName,
        debounce,
        sensor: { uuid: sensor.uuid, uid: sensor.uid, format: sensor.format },
        channel: channel.number,
        value,
      };
}

/** Clearly past a limit: by a tenth of it, and by one at least. */
function beyond(limit: number | null, direction: 1 | -1): number | null {
  return limit === null ? null : limit + direction * Math.max(1, Math.abs(limit) / 10);
}
