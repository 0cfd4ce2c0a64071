import type { Database } from '../platform/database.ts';

const DAY = 86_400_000;
const WEEK = 7 * DAY;
/** 1970 began on a Thursday; the Monday before it. */
const FIRST_MONDAY = -3 * DAY;

/** The Monday, in UTC, of the week a moment lies in. */
export function weekOf(time: number): number {
  return Math.floor((time - FIRST_MONDAY) / WEEK) * WEEK + FIRST_MONDAY;
}

/** The part of a table that holds a week: as tocsin_private.ensure_partitions names it, by ISO year and week. */
export function partitionName(parent: string, week: number): string {
  // The Thursday of a week lies in the year the week counts for.
  const thursday = new Date(week + 3 * DAY);
  const year = thursday.getUTCFullYear();
  const number = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK) + 1;
  return `${parent}_${year}w${String(number).padStart(2, '0')}`;
}

/** Sees to it that there is a part for every week. Parts are made by their own transaction, before the batch begins. */
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
