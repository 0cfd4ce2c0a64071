import { recurrenceWords } from '../../../domain/maintenance/words.ts';
import { recurrenceOf, type WindowRow } from './maintenance.queries.ts';

export const scopeLabels = { site: 'Site', asset: 'Asset', sensor: 'Sensor' } as const;
export type Scope = keyof typeof scopeLabels;

export const suppressions = [
  { value: 'notifications', label: 'Notifications', note: 'Alarms are recorded. Nobody is notified.' },
  { value: 'alarms', label: 'Alarms', note: 'No alarm opens. Readings are stored.' },
  { value: 'health', label: 'Alarms and health', note: 'No alarm opens, even if the site is silent.' },
] as const;

/** Returns what a window that is in progress does: `Nobody is notified`. */
export function suppressedWords(suppresses: string): string {
  if (suppresses === 'alarms') return 'No alarm opens';
  return suppresses === 'health' ? 'No alarm opens, even if the site is silent' : 'Nobody is notified';
}

/** Returns what a window is for: `Brackenhall WTW, Contact tank`; `Sensor KR-LVL-01, Kelder Road PS`. */
export function placeWords({
  scope,
  targetName,
  siteName,
}: Pick<WindowRow, 'scope' | 'targetName' | 'siteName'>): string {
  if (scope === 'site') return targetName;
  if (scope === 'asset') return `${siteName}, ${targetName}`;
  return [`Sensor ${targetName}`, siteName].filter(Boolean).join(', ');
}

/** Returns when a window takes place, as text. */
export function whenWords(window: WindowRow): string {
  const recurrence = recurrenceOf(window);
  return recurrence === null ? 'Until the sensor is active again' : recurrenceWords(recurrence);
}
