/** The range that the tests of report figures use: twelve weeks that end at `NOW`. */
import { expect } from 'vitest';
import { daysBefore, startOfDay, weekStarts } from '../../domain/week.ts';
import { NOW, ZONE } from './report-plant.ts';

export type Variables = Record<string, [type: string, value: unknown]>;

/** The range from 20 October to 14 January, which includes a day of 25 hours and New Year. */
export const starts = weekStarts(NOW, ZONE, 12);
export const today = startOfDay(NOW, ZONE);
export const from = starts[0] as Date;
export const to = daysBefore(NOW, -1, ZONE);
export const range: Variables = { rangeFrom: ['Datetime!', from], rangeTo: ['Datetime!', to] };
export const within = (at: number) => at >= from.getTime() && at < to.getTime();
export const count = <T>(rows: readonly T[], which: (row: T) => boolean) => rows.filter(which).length;
export const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 3));
