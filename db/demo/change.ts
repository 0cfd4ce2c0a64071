import type { Customer, Person } from './people.ts';
import type { Row, Table } from './tables.ts';

/**
 * A change of configuration that somebody made in the weeks of the demo. It is really made: the row is loaded as it was
 * before, and changed at the end with that person's name and that time, so that the audit trail is written by its trigger.
 */
export interface Change {
  at: number;
  by: Person;
  customer: Customer;
  table: Table;
  uuid: string;
  /** Missing where the change is the creation of the row. */
  column?: string;
  before?: unknown;
  /** What the row was loaded with instead; filled by `holdBack`. */
  after?: unknown;
  row?: Row<Table>;
}
