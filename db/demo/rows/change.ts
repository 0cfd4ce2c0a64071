import type { Customer, Person } from '../plant/people.ts';
import type { Row, Table } from './tables.ts';

/**
 * A change that a user made during the demo's history. The loader inserts the row in its state before the change. At
 * the end, the loader updates the row on behalf of the user and at the time of the change, so that the trigger writes
 * the audit trail.
 */
export interface Change {
  at: number;
  by: Person;
  customer: Customer;
  table: Table;
  uuid: string;
  /** The changed column; undefined if the change created the row. */
  column?: string;
  before?: unknown;
  /** The new value of the column; set by `holdBack`. */
  after?: unknown;
  row?: Row<Table>;
}
