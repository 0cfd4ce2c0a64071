import { formatAge } from '../../../domain/age.ts';
import { plural } from '../../../domain/plural.ts';
import type { FullDisk } from '../../../domain/process/growth.ts';
import { formatNumber } from '../../kit/format/number.ts';
import { writeNumber } from '../../ui/formats.ts';
import type { State } from '../../ui/StateMark.tsx';

/**
 * Returns the state and the label of a process. A missing process is violet; a process that is stopping or was stopped
 * on purpose is blue-grey.
 */
export function processState(state: string | null): { state: State; word: string } {
  switch (state) {
    case 'ready':
      return { state: 'normal', word: 'Running' };
    case 'missing':
      return { state: 'silent', word: 'Missing' };
    case 'failing':
      return { state: 'minor', word: 'Not ready' };
    case 'draining':
      return { state: 'shelved', word: 'Stopping' };
    case 'stopped':
      return { state: 'shelved', word: 'Stopped' };
    default:
      return { state: 'normal', word: 'Starting' };
  }
}

/**
 * Returns true if the process is neither missing nor stopped, so that the figures of its last heartbeat still apply.
 */
export function isRunning(state: string | null): boolean {
  return state !== 'missing' && state !== 'stopped';
}

const queueNames: Readonly<Record<string, string>> = {
  frames: 'Deliveries to store',
  newest: 'Newest values to write',
  deadlines: 'Rule deadlines to evaluate',
  notifications: 'Notifications to send',
  retries: 'Notifications to retry',
  invitations: 'Invitations to send',
  commands: 'Commands to devices',
};

export function queueName(name: string | null): string {
  return queueNames[name ?? ''] ?? name ?? '';
}

export const protocolNames: Readonly<Record<string, string>> = { http: 'HTTP', mqtt: 'MQTT', tcp: 'TCP' };

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Returns the largest unit in which the size is at least 1. */
export function unitOf(bytes: number): { unit: string; size: number } {
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.max(Math.abs(bytes), 1)) / 3), 0), units.length - 1);
  return { unit: units[power] as string, size: 1000 ** power };
}

/** Formats bytes with three significant digits and decimal units, which disk manufacturers use too. */
export function formatBytes(bytes: number, locale?: string): { number: string; unit: string } {
  const { unit, size } = unitOf(bytes);
  const value = bytes / size;
  const decimals = size === 1 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return { number: writeNumber(value, locale, { maximumFractionDigits: decimals }), unit };
}

/** Formats a rate, with one decimal if it is below ten. */
export function formatRate(perSecond: number, locale?: string): string {
  return perSecond < 10 ? tenths(perSecond, locale) : formatNumber(Math.round(perSecond), locale);
}

/** Formats a clock offset in seconds with its sign: `+0.04`. An offset that is rounded to zero has no sign. */
export function formatOffset(milliseconds: number, locale?: string): string {
  // Adding 0 turns negative zero into zero.
  const hundredths = Math.round(milliseconds / 10) + 0;
  const text = writeNumber(hundredths / 100, locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return hundredths > 0 ? `+${text}` : text;
}

/** Formats the age of the oldest item in a queue, with one decimal if it is below ten seconds. */
export function formatWait(seconds: number, locale?: string): string {
  if (seconds >= 10) return formatAge(seconds * 1000);
  return `${tenths(Math.max(0, seconds), locale)}\u00a0s`;
}

function tenths(value: number, locale: string | undefined): string {
  return formatNumber(Math.round(value * 10) / 10, locale);
}

const MOST_DAYS = 3650;

export interface FullWords {
  label: string;
  value: string;
  unit?: string;
  hint?: string;
}

/** Returns a text about when the disk will be full. If that is unknown, a hint explains what to configure. */
export function fullWords(full: FullDisk, locale?: string): FullWords {
  const label = 'Disk full in';
  if ('because' in full) {
    return full.because === 'not-growing'
      ? { label: 'Disk', value: 'Not filling', hint: 'The database is not growing.' }
      : { label, value: '–', hint: 'Set TOCSIN_DATABASE_DISK_GB to the disk space for the database.' };
  }
  const days = Math.floor(full.inDays);
  if (full.inDays <= 0) return { label: 'Disk', value: 'Full' };
  if (days > MOST_DAYS) return { label, value: 'over 10', unit: 'years' };
  return days < 1
    ? { label, value: 'less than 1', unit: 'day' }
    : { label, value: formatNumber(days, locale), unit: plural(days, 'day') };
}
