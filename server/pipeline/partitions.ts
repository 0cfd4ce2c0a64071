import type { Database } from '../platform/database.ts';

const DAY = 86_400_000;
const WEEK = 7 * DAY;
/** Monday of the week that contains 1970-01-01, which was a Thursday. */
const FIRST_MONDAY = -3 * DAY;

/** Returns the Monday, in UTC, of the week that contains `time`. */
export function weekOf(time: number): number {
  return Math.floor((time - FIRST_MONDAY) / WEEK) * WEEK + FIRST_MONDAY;
}

/**
 * Returns the name of a week's partition, by ISO year and week. `tocsin_private.ensure_partitions` uses the same names.
 */
export function partitionName(parent: string, week: number): string {
  // The ISO year of a week is the year of its Thursday.
  const thursday = new Date(week + 3 * DAY);
  const year = thursday.getUTCFullYear();
  const number = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK) + 1;
  return `${parent}_${year}w${String(number).padStart(2, '0')}`;
}

/** Creates missing partitions in a separate transaction before the batch. */
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
