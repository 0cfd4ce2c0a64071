import type { Confirmation, Frame } from '../../domain/frame/frame.ts';
import { draw } from './chance.ts';
import type { SensorPlan } from './plan.ts';

/** What a device says at one moment. */
export interface Said {
  time: number;
  values: readonly (readonly [channel: string, value: number])[];
  gsm?: Frame['gsm'];
  confirmations?: readonly Confirmation[];
}

/** How many confirmations fit into a frame: only JSON has lists. */
export function roomFor(format: SensorPlan['format']): number {
  return format === 'json' ? 100 : 1;
}

/** A frame as a device of this format writes it. Without named channels it is always one line. */
export function writeFrame(said: Said, format: SensorPlan['format']): string {
  switch (format) {
    case 'json':
      return writeJson(said);
    case 'key-value':
      return [['t', said.time / 1000] as const, ...said.values, ...besides(said)]
        .map(([key, value]) => `${key}=${quoted(value)}`)
        .join(';');
    case 'csv':
      return writeCsv(said);
  }
}

function writeJson({ time, values, gsm, confirmations = [] }: Said): string {
  const one = confirmations.length === 1 ? { ack: confirmations[0]?.id, reply: confirmations[0]?.reply } : undefined;
  return JSON.stringify({
    t: time,
    ...Object.fromEntries(values),
    ...(gsm && { gsm }),
    ...(one ?? (confirmations.length > 1 && { ack: confirmations })),
  });
}

function writeCsv(said: Said): string {
  const time = new Date(said.time).toISOString();
  const columns: (number | '')[] = [];
  for (const [channel, value] of said.values) {
    if (!/^[1-9]\d{0,2}$/.test(channel)) {
      const named = [...said.values, ...besides(said)];
      return `time,${named.map(([key]) => key).join()}\n${time},${named.map(([, cell]) => quoted(cell)).join()}`;
    }
    while (columns.length < Number(channel)) {
      columns.push('');
    }
    columns[Number(channel) - 1] = value;
  }
  return [time, ...columns, ...besides(said).map(([key, value]) => quoted(`${key}=${value}`))].join();
}

/** What is sent beside the values, one pair each. */
function besides({ gsm, confirmations = [] }: Said): (readonly [string, string | number])[] {
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

/** A frame as it arrives when something is wrong with the device or the line. Never with a line end, which would make it two. */
export function spoil(frame: string, ...words: readonly (string | number)[]): Uint8Array {
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
