import type { ReadableMetric } from '../sparkplug/payload.ts';
import { parseTopic, SPARKPLUG } from '../sparkplug/topic.ts';
import { Collector, refuseFrame, reservedKey } from './collect.ts';
import type { Decoded } from './frame.ts';
import { frameLimits } from './frame.ts';
import { quoted } from './text.ts';

/** Returns whether a stored frame is a Sparkplug B message, regardless of the sensor's format. */
export function isSparkplugText(text: string): boolean {
  return text.startsWith(`{"topic":"${SPARKPLUG}`);
}

export function isSparkplug(frame: Record<string, unknown>): boolean {
  return typeof frame.topic === 'string' && frame.topic.startsWith(SPARKPLUG);
}

/**
 * Names of metrics that are not channels: the session number `bdSeq`, and names that begin with `Node Control/` or
 * `Device Control/`.
 */
const control = /^(bdSeq$|Node Control\/|Device Control\/)/;

const unreadSentences = {
  'no-type': 'has no known type until the next birth message.',
  'no-single-value': 'is not a single value, such as a number, a boolean or a text.',
} as const;

/**
 * Decodes a stored Sparkplug B message. Every metric is a channel. A value has the time of its metric or, if the metric
 * has no time, the time of the message. The names `ack`, `reply`, `gsm_provider` and `gsm_signal` are reserved, as in
 * every format.
 */
export function decodeSparkplug(frame: Record<string, unknown>): Decoded {
  const { metrics, timestamp } = frame;
  if (!Array.isArray(metrics)) {
    return frame.unread === 'too-many-values'
      ? refuseFrame('too-many-values', `A frame can have at most ${frameLimits.values} values. Send several frames.`)
      : refuseFrame('not-sparkplug', 'The message is not a Sparkplug B payload, or it is compressed.');
  }
  const collector = new Collector(metrics.length === 1);
  const others: [string, unknown][] = [];
  let controls = 0;
  for (let index = 0; index < metrics.length && !collector.full; index += 1) {
    const metric: unknown = metrics[index];
    if (typeof metric !== 'object' || metric === null) {
      collector.refuse(`[${index}]`, 'not-a-number', `Metric ${index + 1} is ${quoted(metric)}, not an object.`);
      continue;
    }
    const { name, value } = metric as ReadableMetric;
    if (typeof name === 'string' && control.test(name)) {
      controls += 1;
    } else if (typeof name === 'string' && (reservedKey(name) ?? 'time') !== 'time') {
      others.push([name, value]);
    } else {
      takeMetric(collector, metric as ReadableMetric, timestamp);
    }
  }
  collector.beginRow();
  for (const [name, value] of others) {
    collector.take(name, value);
  }
  collector.endRow();
  const decoded = collector.result();
  const silent = controls > 0 || !parseTopic(String(frame.topic))?.type.endsWith('DATA');
  return !decoded.ok && decoded.because === 'no-values' && silent
    ? { ok: true, frame: { values: [], refused: [], gsm: {}, confirmations: [] } }
    : decoded;
}

function takeMetric(collector: Collector, metric: ReadableMetric, timestamp: unknown): void {
  const { name, alias, value, unread } = metric;
  if (typeof name !== 'string' || name === '') {
    const channel = alias === undefined ? 'a metric' : `alias ${alias}`;
    const sentence =
      alias === undefined
        ? 'A metric has neither a name nor an alias.'
        : `The alias ${quoted(alias)} is unknown: the last birth message did not define it.`;
    collector.refuse(channel, 'unknown-alias', sentence);
    return;
  }
  if (unread !== undefined) {
    const why = unreadSentences[unread] ?? 'could not be read.';
    collector.refuse(name, 'not-a-number', `The metric ${quoted(name)} ${why}`);
    return;
  }
  collector.beginRow();
  collector.takeReserved('time', 'timestamp', metric.timestamp ?? timestamp);
  collector.value(name, value);
  collector.endRow();
}
