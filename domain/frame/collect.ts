import {
  type Confirmation,
  type Decoded,
  type Frame,
  type FrameProblem,
  frameLimits,
  type ValueProblem,
} from './frame.ts';
import { isNotFinite, parseNumber } from './number.ts';
import { isStorable, quoted, toStorable } from './text.ts';
import { parseTime } from './time.ts';

export type ReservedKey = 'time' | 'provider' | 'signal' | 'ack' | 'reply';

const reserved = new Map<string, ReservedKey>([
  ['t', 'time'],
  ['ts', 'time'],
  ['time', 'time'],
  ['gsm_provider', 'provider'],
  ['gsm_signal', 'signal'],
  ['ack', 'ack'],
  ['reply', 'reply'],
]);
export const reservedNames: readonly string[] = [...reserved.keys()];
const LONGEST_RESERVED = 12;

/** Returns the meaning of a reserved key; undefined if the key is the name of a channel. */
export function reservedKey(key: string): ReservedKey | undefined {
  const first = key.charCodeAt(0);
  if (key.length > LONGEST_RESERVED || (first >= 48 && first <= 57)) {
    return undefined;
  }
  return reserved.get(key.toLowerCase());
}

export function refuseFrame(because: FrameProblem, sentence: string): Decoded {
  return { ok: false, because, sentence };
}

export const noValues: Decoded = refuseFrame('no-values', 'The frame has no values.');

/**
 * Builds a frame row by row. A row is an object or a line; all its values have the same time. Decoders must stop when
 * `full` is true.
 */
export class Collector {
  full = false;
  private readonly frame: Frame = { values: [], refused: [], gsm: {}, confirmations: [] };
  private readonly alone: boolean;
  private firstSample = 0;
  private time: number | undefined;
  private badTime = false;
  private ack: unknown;
  private reply: string | undefined;

  /** `alone` means that the frame has only one row. In that case, the server time can replace an unreadable time. */
  constructor(alone: boolean) {
    this.alone = alone;
  }

  beginRow(): void {
    this.firstSample = this.frame.values.length;
    this.time = undefined;
    this.badTime = false;
    this.ack = undefined;
    this.reply = undefined;
  }

  /** Adds a value to the row. `key` is a reserved key or the name of a channel. */
  take(key: string, raw: unknown): void {
    const role = reservedKey(key);
    if (role === undefined) {
      this.value(key, raw);
    } else {
      this.takeReserved(role, key, raw);
    }
  }

  takeReserved(role: ReservedKey, key: string, raw: unknown): void {
    if (raw === null || raw === undefined || raw === '') {
      return;
    }
    switch (role) {
      case 'time':
        this.setTime(key, raw);
        return;
      case 'signal':
        this.setSignal(key, raw);
        return;
      case 'provider':
        this.setProvider(key, raw);
        return;
      case 'ack':
        this.ack = raw;
        return;
      case 'reply':
        this.reply = replyOf(raw);
    }
  }

  value(channel: string, raw: unknown): void {
    if (raw === null || raw === undefined || raw === '') {
      return;
    }
    if (channel === '' || channel.length > frameLimits.name || !isStorable(channel)) {
      this.refuse(channel, 'bad-name', `Use a channel name of 1 to ${frameLimits.name} characters without NUL.`);
      return;
    }
    let value: number;
    if (typeof raw === 'number') {
      value = raw + 0;
    } else if (typeof raw === 'string') {
      value = parseNumber(raw);
    } else {
      value = typeof raw === 'boolean' ? Number(raw) : Number.NaN;
    }
    if (!Number.isFinite(value)) {
      this.refuseNumber(channel, raw);
      return;
    }
    if (Math.abs(value) > frameLimits.value) {
      const sentence = `The value ${quoted(raw)} of ${quoted(channel)} is out of range: it must be between -3.4e38 and 3.4e38.`;
      this.refuse(channel, 'out-of-range', sentence);
      return;
    }
    this.frame.values.push({ channel, value, time: this.time });
    this.count();
  }

  refuse(channel: string, because: ValueProblem, sentence: string): void {
    this.frame.refused.push({ channel: toStorable(channel, frameLimits.name), because, sentence });
    this.count();
  }

  endRow(): void {
    if (this.badTime && !this.alone) {
      // If a frame has several rows, a row without a valid time is refused. Server time would be a guess and could
      // raise a false alarm.
      for (const { channel } of this.frame.values.splice(this.firstSample)) {
        this.refuse(channel, 'bad-time', `The value of ${quoted(channel)} has no valid time.`);
      }
    }
    if (this.ack !== undefined) {
      this.confirm(this.ack, this.reply ?? '');
    } else if (this.reply !== undefined) {
      this.refuse('reply', 'bad-confirmation', 'A reply must contain the number of its command in "ack".');
    }
  }

  /**
   * Returns whether the frame has no usable value and at least one unreadable time. The text is then probably not CSV.
   */
  hasOnlyBadTimes(): boolean {
    return !this.full && this.isUseless() && this.frame.refused.some(({ because }) => because === 'bad-time');
  }

  result(): Decoded {
    if (this.full) {
      return refuseFrame(
        'too-many-values',
        `A frame can have at most ${frameLimits.values} values. Send several frames.`,
      );
    }
    if (this.isUseless() && this.frame.refused.length === 0) {
      return noValues;
    }
    return { ok: true, frame: this.frame };
  }

  private isUseless(): boolean {
    const { values: samples, gsm, confirmations } = this.frame;
    return samples.length + confirmations.length === 0 && gsm.provider === undefined && gsm.signal === undefined;
  }

  private count(): void {
    const { values: samples, refused, confirmations } = this.frame;
    this.full = samples.length + refused.length + confirmations.length > frameLimits.values;
  }

  private setTime(key: string, raw: unknown): void {
    const time = parseTime(raw);
    if (time === undefined) {
      this.badTime = true;
      this.refuse(
        key,
        'bad-time',
        `${quoted(raw)} is not a valid time. Use ISO 8601, or seconds or milliseconds since 1970.`,
      );
      return;
    }
    this.time = time;
    for (let index = this.firstSample; index < this.frame.values.length; index += 1) {
      this.frame.values[index]!.time = time;
    }
  }

  private setSignal(key: string, raw: unknown): void {
    const signal = typeof raw === 'string' ? parseNumber(raw) : raw;
    if (typeof signal !== 'number' || !(signal >= -150 && signal <= 0)) {
      this.refuse(key, 'bad-signal', `${quoted(raw)} is not a signal strength between -150 and 0 dBm.`);
      return;
    }
    this.frame.gsm.signal = Math.round(signal) + 0;
  }

  private setProvider(key: string, raw: unknown): void {
    if (typeof raw !== 'string' && typeof raw !== 'number') {
      this.refuse(key, 'bad-name', `${quoted(raw)} is not a valid network name.`);
      return;
    }
    this.frame.gsm.provider = toStorable(String(raw).trim(), frameLimits.provider);
  }

  /** `ack` is a command number, or a list of numbers and `{ id, reply }` objects. */
  private confirm(ack: unknown, reply: string): void {
    for (const entry of Array.isArray(ack) ? ack : [ack]) {
      if (this.full) {
        return;
      }
      const confirmation = confirmationOf(entry, reply);
      if (confirmation === undefined) {
        this.refuse('ack', 'bad-confirmation', `${quoted(entry)} is not a command number.`);
      } else {
        this.frame.confirmations.push(confirmation);
        this.count();
      }
    }
  }

  /** Refuses a number with a decimal comma. The error message shows the number with a decimal point. */
  refuseComma(channel: string, value: string): void {
    const sentence = `${quoted(value)} has a decimal comma: write ${value.replace(',', '.')}.`;
    this.refuse(channel, 'not-a-number', sentence);
  }

  private refuseNumber(channel: string, raw: unknown): void {
    if (typeof raw === 'string' && /^\s*[+-]?\d{1,40},\d{1,40}\s*$/.test(raw)) {
      this.refuseComma(channel, raw.trim());
      return;
    }
    const endless = typeof raw === 'number' || (typeof raw === 'string' && isNotFinite(raw));
    if (typeof raw === 'object' && raw !== null) {
      this.refuse(channel, 'not-a-number', `The value of ${quoted(channel)} is ${quoted(raw)}, not a number.`);
      return;
    }
    this.refuse(
      channel,
      endless ? 'not-finite' : 'not-a-number',
      `The value ${quoted(raw)} of ${quoted(channel)} is not a ${endless ? 'finite ' : ''}number.`,
    );
  }
}

function confirmationOf(entry: unknown, reply: string): Confirmation | undefined {
  if (typeof entry === 'object' && entry !== null) {
    const { id, reply: own } = entry as { id?: unknown; reply?: unknown };
    return typeof id === 'object'
      ? undefined
      : confirmationOf(id, own === undefined || own === null ? reply : replyOf(own));
  }
  const id = typeof entry === 'string' ? parseNumber(entry) : entry;
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? { id, reply } : undefined;
}

/**
 * Returns the reply to a command. A long reply is truncated, not refused, because the device has already executed the
 * command.
 */
function replyOf(raw: unknown): string {
  return toStorable(typeof raw === 'object' ? jsonOf(raw) : String(raw), frameLimits.reply);
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // The reply is empty if the value is nested too deeply for JSON.stringify.
    return '';
  }
}
