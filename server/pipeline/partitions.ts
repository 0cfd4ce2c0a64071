import type { Database } from '../platform/database.ts';

const DAY = 86_400_000;
const WEEK = 7 * DAY;
/** The Monday before 1970-01-01, which was a Thursday. */
const FIRST_MONDAY = -3 * DAY;

/** The Monday, in UTC, of the week a moment lies in. */
export function weekOf(time: number): number {
  return Math.floor((time - FIRST_MONDAY) / WEEK) * WEEK + FIRST_MONDAY;
}

/** Name of the partition of a week, by ISO year and week, as `tocsin_private.ensure_partitions` creates it. */
export function partitionName(parent: string, week: number): string {
  // The Thursday decides the ISO year of a week.
  const thursday = new Date(week + 3 * DAY);
  const year = thursday.getUTCFullYear();
  const number = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK) + 1;
  return `${parent}_${year}w${String(number).padStart(2, '0')}`;
}

/** Creates missing partitions, in a transaction of their own before the batch. */
export class Partitions {
  readonly #db: Database;
  readonly #known = new Set<number>();

  constructor(db: Database) {
    this.#db = db;
  }

  async ensure(times: Iterable<number>): Promise<void> {
    for (const time of times) {
      const week = weekOf(time);
      if (this.#known.has(week)) continue;
      await this.#db.migration((tx) =>
        tx.query('call tocsin_private.ensure_partitions($1, $1)', [new Date(week).toISOString()]),
      );
      this.#known.add(week);
    }
  }
}
