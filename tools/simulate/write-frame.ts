import type { Confirmation, Frame } from '../../domain/frame/frame.ts';
import { draw } from './chance.ts';
import type { SensorPlan } from './plan.ts';

export interface FrameContent {
  time: number;
  values: readonly (readonly [channel: string, value: number])[];
  gsm?: Frame['gsm'];
  confirmations?: readonly Confirmation[];
}

/** Returns the maximum number of confirmations in a frame. Only the JSON format can contain a list of them. */
export function maxConfirmations(format: SensorPlan['format']): number {
  return format === 'json' ? 100 : 1;
}

/** Writes a frame in the device's format. The frame is one line, except for CSV with named channels. */
export function writeFrame(content: FrameContent, format: SensorPlan['format']): string {
  switch (format) {
    case 'json':
      return writeJson(content);
    case 'key-value':
      return [['t', content.time / 1000] as const, ...content.values, ...extraPairs(content)]
        .map(([key, value]) => `${key}=${quoted(value)}`)
        .join(';');
    case 'csv':
      return writeCsv(content);
  }
}

function writeJson({ time, values, gsm, confirmations = [] }: FrameContent): string {
  const one = confirmations.length === 1 ? { ack: confirmations[0]?.id, reply: confirmations[0]?.reply } : undefined;
  return JSON.stringify({
    t: time,
    ...Object.fromEntries(values),
    ...(gsm && { gsm }),
    ...(one ?? (confirmations.length > 1 && { ack: confirmations })),
  });
}

function writeCsv(content: FrameContent): string {
  const time = new Date(content.time).toISOString();
  const columns: (number | '')[] = [];
  for (const [channel, value] of content.values) {
    if (!/^[1-9]\d{0,2}$/.test(channel)) {
      const named = [...content.values, ...extraPairs(content)];
      return `time,${named.map(([key]) => key).join()}\n${time},${named.map(([, cell]) => quoted(cell)).join()}`;
    }
    while (columns.length < Number(channel)) {
      columns.push('');
    }
    columns[Number(channel) - 1] = value;
  }
  return [time, ...columns, ...extraPairs(content).map(([key, value]) => quoted(`${key}=${value}`))].join();
}

/** Returns the mobile network, the signal strength and the first confirmation as key-value pairs. */
function extraPairs({ gsm, confirmations = [] }: FrameContent): (readonly [string, string | number])[] {
  const [first] = confirmations;
  return [
    ...(gsm?.provider === undefined ? [] : [['gsm_provider', gsm.provider] as const]),
    ...(gsm?.signal === undefined ? [] : [['gsm_signal', gsm.signal] as const]),
    ...(first ? [['ack', first.id] as const, ['reply', first.reply] as const] : []),
  ];
}

function quoted(value: string | number): string {
  const text = String(value);
  return /[\s,;&"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Corrupts a frame as a faulty device or line would. The result contains no line break, which would split the frame.
 */
export function corrupt(frame: string, ...words: readonly (string | number)[]): Uint8Array {
  const ways = [
    () => bytes(frame.slice(0, Math.max(1, Math.floor(frame.length * draw(...words, 'cut'))))),
    () => Uint8Array.from({ length: 24 }, (_, index) => 128 + Math.floor(draw(...words, index) * 128)),
    () => bytes(frame.replace(/-?\d+(\.\d+)?([^\d]*)$/, 'NaN$2')),
    () => bytes('+CME ERROR: 30'),
    () => bytes(frame.replaceAll(/[\d]/g, '#')),
  ];
  return (ways[Math.floor(draw(...words, 'way') * ways.length)] as () => Uint8Array)();
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text.replaceAll('\n', ' '));
}
