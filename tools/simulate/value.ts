import { activeSince, keyOf, scatter } from './chance.ts';
import { builtInCurves, type Curve, type Curves } from './curves.ts';
import type { ChannelPlan } from './plan.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/**
 * Returns the value of a channel at a time, including the faults that the plan configures. `everySeconds` is the
 * sensor's interval.
 */
export function valueAt(
  channel: ChannelPlan,
  time: number,
  { key, everySeconds, curves = {} }: { key: number; everySeconds: number; curves?: Curves },
): number {
  const { stuck } = channel;
  const since = stuck && activeSince(stuck, time, keyOf(key, 'stuck'), everySeconds);
  return measure(channel, since ?? time, key, everySeconds, curves);
}

function measure(channel: ChannelPlan, time: number, key: number, everySeconds: number, curves: Curves): number {
  if (channel.kind === 'counter' && channel.perHour !== undefined) {
    // The count starts at the beginning of 2024, so that a restart of the simulator does not reset it.
    return Math.floor((channel.low ?? 0) + (channel.perHour * (time - Date.UTC(2024, 0, 1))) / HOUR);
  }
  const {
    low = 0,
    high = channel.kind === 'digital' ? 1 : 100,
    decimals = channel.kind === 'analog' ? 2 : 0,
  } = channel;
  const curve: Curve = curves[channel.curve ?? ''] ?? builtIn(channel.curve);
  let value = low + (high - low) * curve(time, channel.key ?? key, (channel.periodSeconds ?? 3600) * 1000);
  if (channel.rhythm) {
    value += channel.rhythm.by * Math.cos((2 * Math.PI * ((time % DAY) / HOUR - channel.rhythm.peakHour)) / 24);
  }
  if (channel.drift) {
    const since = activeSince(channel.drift.when, time, keyOf(key, 'drift'), everySeconds);
    value += since === undefined ? 0 : (channel.drift.perHour * (time - since)) / HOUR;
  }
  for (const [index, spike] of (channel.spikes ?? []).entries()) {
    const since = activeSince(spike.when, time, spike.key ?? keyOf(key, 'spike', index), everySeconds);
    if (since !== undefined) {
      const rise = (spike.riseSeconds ?? 0) * 1000;
      const share = rise === 0 ? 1 : Math.min(1, (time - since) / rise);
      value += (spike.to - value) * share;
    }
  }
  if (channel.noise !== undefined) {
    value += scatter(channel.noise, key, 'noise', time);
  }
  if (channel.kind === 'digital') {
    return value >= 0.5 ? 1 : 0;
  }
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor + 0;
}

function builtIn(name: string | undefined): Curve {
  return (builtInCurves as Curves)[name ?? 'flat'] ?? builtInCurves.flat;
}
