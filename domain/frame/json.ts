import { Collector, refuseFrame } from './collect.ts';
import type { Decoded } from './frame.ts';
import { decodeSparkplug, isSparkplug } from './sparkplug.ts';
import { quoted } from './text.ts';

/**
 * Decodes `{"t": …, "1": 20.5}`, the same object with the channels under `values`, or a list of such objects. An object
 * with a Sparkplug topic is decoded as a stored Sparkplug B message.
 */
export function decodeJson(text: string): Decoded {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return refuseFrame('not-json', 'The frame is not valid JSON.');
  }
  return decodeObject(parsed);
}

/** Decodes parsed JSON, such as a forwarded frame. Skips the key `ignored`. */
export function decodeObject(value: unknown, ignored?: string): Decoded {
  const collector = new Collector(!Array.isArray(value) || value.length === 1);
  if (!Array.isArray(value)) {
    if (!isObject(value)) {
      return refuseFrame('not-json', 'The frame is JSON, but neither an object nor a list of objects.');
    }
    if (isSparkplug(value)) {
      return decodeSparkplug(value);
    }
    takeRow(collector, value, ignored);
    return collector.result();
  }
  let objects = 0;
  for (let index = 0; index < value.length && !collector.full; index += 1) {
    const row: unknown = value[index];
    if (isObject(row)) {
      objects += 1;
      takeRow(collector, row, ignored);
    } else {
      collector.refuse(
        `[${index}]`,
        'not-a-number',
        `Entry ${index + 1} of the list is ${quoted(row)}, not an object.`,
      );
    }
  }
  if (objects === 0 && value.length > 0) {
    return refuseFrame('not-json', 'The frame is a list, but its entries are not objects.');
  }
  return collector.result();
}

function takeRow(collector: Collector, row: Record<string, unknown>, ignored: string | undefined): void {
  collector.beginRow();
  for (const key in row) {
    if (collector.full) {
      return;
    }
    const raw = row[key];
    if (key === ignored) {
      continue;
    }
    if (typeof raw === 'object' && isObject(raw)) {
      takeNested(collector, key, raw);
    } else {
      collector.take(key, raw);
    }
  }
  collector.endRow();
}

function takeNested(collector: Collector, key: string, raw: Record<string, unknown>): void {
  switch (key.length <= 6 ? key.toLowerCase() : '') {
    case 'values':
      for (const channel in raw) {
        if (collector.full) {
          return;
        }
        collector.value(channel, raw[channel]);
      }
      return;
    case 'gsm':
      collector.takeReserved('provider', 'gsm_provider', raw.provider);
      collector.takeReserved('signal', 'gsm_signal', raw.signal);
      return;
    default:
      collector.take(key, raw);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
