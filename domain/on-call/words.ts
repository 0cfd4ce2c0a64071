import { weekdayNames } from '../maintenance/words.ts';
import { plural } from '../plural.ts';
import { weekdayOfClock } from './local.ts';
import { DAY_HOURS, type LayerHours, type RotaLayer, WEEK_HOURS } from './rota.ts';

/** Returns a layer as text: "weekly, handover Monday 08:00, around the clock". */
export function layerWords(layer: Pick<RotaLayer, 'turnHours' | 'firstDay' | 'handoverTime' | 'hours'>): string {
  const { turnHours, firstDay, handoverTime } = layer;
  const weekday = weekdayNames[weekdayOfClock(Date.parse(`${firstDay}T00:00:00Z`)) - 1];
  const hasWeekday = turnHours % WEEK_HOURS === 0;
  const handover = turnHours % DAY_HOURS === 0 ? `${hasWeekday ? `${weekday} ` : ''}${handoverTime}` : 'by the hour';
  return `${lengthWords(turnHours)}, handover ${handover}, ${hoursWords(layer.hours)}`;
}

export function lengthWords(turnHours: number): string {
  if (turnHours === DAY_HOURS) return 'daily';
  if (turnHours === WEEK_HOURS) return 'weekly';
  if (turnHours % DAY_HOURS === 0) return `every ${turnHours / DAY_HOURS} days`;
  return turnHours === 1 ? 'every hour' : `every ${turnHours} hours`;
}

/** Returns hours as text: "nights and weekends", or "Mon to Fri 08:00 to 17:00". */
export function hoursWords(hours: readonly LayerHours[]): string {
  if (hours.length === 0) return 'around the clock';
  const kinds = hours.map(kindOf);
  if (kinds.length === 2 && kinds.includes('nights') && kinds.includes('weekends')) return 'nights and weekends';
  return hours
    .map((range, index) => kinds[index] ?? `${weekdaysWords(range.weekdays)} ${timesWords(range)}`)
    .join(', ');
}

function kindOf({ weekdays, from, to }: LayerHours): 'nights' | 'weekends' | undefined {
  const days = weekdays.toSorted().join('');
  if (days === '67' && from === '00:00' && to === '00:00') return 'weekends';
  return (days === '12345' || days === '1234567') && from > to && from >= '15:00' && to <= '12:00'
    ? 'nights'
    : undefined;
}

const timesWords = ({ from, to }: LayerHours): string =>
  from === '00:00' && to === '00:00' ? 'all day' : `${from} to ${to}`;

/** Returns weekdays as text: "Mon to Fri", "Sat and Sun", "Mon, Wed, Fri" or "every day". */
export function weekdaysWords(weekdays: readonly number[]): string {
  const days = weekdays.toSorted((a, b) => a - b);
  const names = days.map((day) => (weekdayNames[day - 1] ?? '').slice(0, 3));
  if (days.length === 7) return 'every day';
  const isRow = days.every((day, index) => index === 0 || day === (days[index - 1] ?? 0) + 1);
  if (isRow && days.length > 2) return `${names[0]} to ${names.at(-1)}`;
  return names.length === 2 ? names.join(' and ') : names.join(', ');
}

/** Returns a length as text, by its two largest units: "3 d 17 h", "3 h 28 min". */
export function spanWords(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  const [days, hours, left] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return left > 0 ? `${hours} h ${left} min` : `${hours} h`;
  return `${left} min`;
}

/** Returns by how much a change of the clock changes a shift: "one hour shorter". */
export function clockChangeWords(forwardMs: number): string {
  const minutes = Math.round(Math.abs(forwardMs) / 60_000);
  const length = minutes === 60 ? 'one hour' : `${minutes} ${plural(minutes, 'minute')}`;
  return `${length} ${forwardMs > 0 ? 'shorter' : 'longer'}`;
}
