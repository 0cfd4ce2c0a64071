import type { Period, RotaOverride } from '../../../../domain/on-call/rota.ts';
import type { Shift } from '../../../../domain/on-call/shifts.ts';
import { firstMoment, localTime, startOfWeek } from '../../../../domain/week.ts';
import { initials } from '../../../ui/Avatar.tsx';

export interface TimelineDay {
  startsAt: number;
  endsAt: number;
  isWeekend: boolean;
}

export interface TimelineRange {
  from: number;
  until: number;
  days: TimelineDay[];
}

/** Days on the timeline: two weeks. */
export const SHOWN_DAYS = 14;

/** Returns two weeks, from the Monday of the week that contains `now`, moved by a number of weeks. */
export function timelineRange(now: Date, timeZone: string, weeks: number): TimelineRange {
  const { year, month, day } = localTime(startOfWeek(now, timeZone), timeZone);
  const start = (index: number) => firstMoment(year, month, day + weeks * 7 + index, timeZone).getTime();
  const days = Array.from({ length: SHOWN_DAYS }, (_, index) => ({
    ...{ startsAt: start(index), endsAt: start(index + 1) },
    isWeekend: index % 7 > 4,
  }));
  return { from: start(0), until: start(SHOWN_DAYS), days };
}

export interface Bar extends Period {
  key: string;
  kind: 'turn' | 'override' | 'absence' | 'shift' | 'gap';
  /** Of the width of the timeline. */
  left: number;
  width: number;
  /** The period goes on before or after the range. */
  isCutLeft: boolean;
  isCutRight: boolean;
  name: string;
  note: string;
  isNow: boolean;
  isPast: boolean;
}

/** A bar that is narrower shows initials, or nothing. */
const WIDE = 9;
const NARROW = 2.2;

/** Returns the text of a bar that fits its width. */
export function barText({ name, width, kind }: Bar): string {
  const isPerson = kind !== 'gap' && kind !== 'absence';
  if (width >= WIDE || (!isPerson && width > 5)) return name;
  return width < NARROW || !isPerson ? '' : initials(name);
}

const part = (at: number, { from, until }: TimelineRange) => ((at - from) / (until - from)) * 100;

function barOf(period: Period, range: TimelineRange, now: number): Omit<Bar, 'kind' | 'name' | 'note'> {
  const startsAt = Math.max(period.startsAt, range.from);
  const endsAt = Math.min(period.endsAt, range.until);
  return {
    ...{ key: String(period.startsAt), startsAt: period.startsAt, endsAt: period.endsAt },
    left: part(startsAt, range),
    width: part(endsAt, range) - part(startsAt, range),
    isCutLeft: period.startsAt < range.from,
    isCutRight: period.endsAt > range.until,
    isNow: period.startsAt <= now && now < period.endsAt,
    isPast: period.endsAt <= now,
  };
}

export function turnBars(turns: readonly Shift[], range: TimelineRange, now: number): Bar[] {
  return turns.map((turn) => ({
    ...barOf(turn, range, now),
    ...{ kind: 'turn' as const, name: turn.planned?.name ?? '', note: '' },
  }));
}

/** `until` is the text that follows the name of the present shift. */
export function shiftBars(shifts: readonly Shift[], range: TimelineRange, now: number, until: string): Bar[] {
  return shifts.map((shift) => {
    const bar = barOf(shift, range, now);
    if (shift.person === null) return { ...bar, kind: 'gap' as const, name: 'Gap', note: '' };
    const isCover = shift.planned !== null && shift.planned.uuid !== shift.person.uuid;
    const note = bar.isNow ? until : isCover ? `for ${firstName(shift.planned?.name ?? '')}` : '';
    return { ...bar, kind: 'shift' as const, name: shift.person.name, note };
  });
}

export function overrideBars(overrides: readonly RotaOverride[], range: TimelineRange, now: number): Bar[] {
  return overrides
    .filter(({ startsAt, endsAt }) => startsAt < range.until && endsAt > range.from)
    .map((override) => {
      const { off, cover, reason, uuid } = override;
      const bar = { ...barOf(override, range, now), key: uuid };
      return cover === null
        ? { ...bar, kind: 'absence' as const, name: `${firstName(off?.name ?? '')} off`, note: reason }
        : { ...bar, kind: 'override' as const, name: cover.name, note: reason };
    });
}

export const firstName = (name: string): string => name.trim().split(/\s+/)[0] ?? '';

/** Returns where `now` is on the timeline; undefined if it is outside. */
export function nowPart(range: TimelineRange, now: number): number | undefined {
  return now >= range.from && now < range.until ? part(now, range) : undefined;
}

export interface HandoverMark {
  at: number;
  left: number;
  times: string[];
}

/** Returns the handovers of all layers by day. */
export function handoverMarks(times: readonly number[], range: TimelineRange, format: (at: number) => string) {
  const marks = new Map<number, HandoverMark>();
  for (const at of times.toSorted((a, b) => a - b)) {
    const day = range.days.find(({ startsAt, endsAt }) => startsAt <= at && at < endsAt);
    if (!day) continue;
    const mark = marks.get(day.startsAt) ?? { at, left: part(at, range), times: [] };
    if (!mark.times.includes(format(at))) mark.times.push(format(at));
    marks.set(day.startsAt, mark);
  }
  return [...marks.values()];
}
