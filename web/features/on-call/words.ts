import type { Handover } from '../../../domain/on-call/changes.ts';
import type { Period } from '../../../domain/on-call/rota.ts';
import type { Gap } from '../../../domain/on-call/shifts.ts';
import { spanWords } from '../../../domain/on-call/words.ts';
import { formatDate, formatTime } from '../../ui/time/format.ts';

/** Formats a time without its year: "Mon 16 Nov 08:00". */
export function atWords(at: number, timeZone: string): string {
  const date = new Date(at);
  return `${formatDate(date, timeZone, { weekday: true, year: false })} ${formatTime(date, timeZone)}`;
}

/** Formats the first and last day of a period: "Mon 9 to Mon 16 Nov". */
export function daysWords({ startsAt, endsAt }: Period, timeZone: string): string {
  const day = (at: number) => formatDate(new Date(at), timeZone, { weekday: true, year: false });
  const [first, last] = [day(startsAt), day(endsAt)];
  if (first === last) return first;
  const month = / \p{L}+$/u.exec(first)?.[0];
  return month && last.endsWith(month) ? `${first.slice(0, -month.length)} to ${last}` : `${first} to ${last}`;
}

export function periodWords({ startsAt, endsAt }: Period, timeZone: string): string {
  return `${atWords(startsAt, timeZone)} to ${atWords(endsAt, timeZone)}`;
}

export const lengthOfPeriod = ({ startsAt, endsAt }: Period): string => spanWords(endsAt - startsAt);

/** Says why nobody is on call in a gap. */
export function gapReason({ because, missing, reason }: Gap): string {
  const name = missing?.name ?? 'The person in turn';
  if (because === 'inactive') return `${name} was deleted or disabled.`;
  return `${name} is off${reason === '' ? '' : ` (${reason})`}.`;
}

/** Says why another person takes over. */
export function handoverReason({ before, after }: Handover, isConfirmed: boolean): string {
  const text = (reason: string | undefined) => (reason ? `, ${reason}` : '');
  if (after.person === null) {
    const why = after.because === 'absent' ? `Off${text(after.override?.reason)}` : 'Deleted or disabled';
    return isConfirmed ? `${why}, confirmed` : `${why}, not confirmed`;
  }
  if (after.override) return `Override${text(after.override.reason)}`;
  return before.override ? `${before.person === null ? 'Absence' : 'Override'} ends` : 'Turn';
}
