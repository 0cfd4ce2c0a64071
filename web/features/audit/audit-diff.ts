import { key } from '../../kit/list/list.ts';
import { fieldWords, recordOf } from './audit-words.ts';

export interface FieldChange {
  column: string;
  label: string;
  /** The value before the change, as plain text; null if the change created the record. */
  before: string | null;
  /** The value after the change, as plain text; null if the change deleted the record. */
  after: string | null;
}

/**
 * Columns that are not shown, because they change with every update, identify the row, or have the same value in all
 * rows of a customer.
 */
const hiddenColumns = new Set(['created_at', 'updated_at', 'last_updated', 'uuid', 'tocsin_customer_uuid']);

/**
 * Returns the fields of an audit row. For a changed record, returns only the fields that differ. For a created or
 * deleted record, returns all non-empty fields.
 */
export function changesOf(before: unknown, after: unknown): FieldChange[] {
  const old = recordOf(before);
  const fresh = recordOf(after);
  const columns = new Set([...Object.keys(old ?? {}), ...Object.keys(fresh ?? {})]);
  return [...columns]
    .filter((column) => !hiddenColumns.has(column))
    .map((column) => ({
      column,
      label: fieldWords(column),
      before: old ? textOf(old[column]) : null,
      after: fresh ? textOf(fresh[column]) : null,
    }))
    .filter((change) => (old && fresh ? change.before !== change.after : (change.before ?? change.after) !== ''))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'));
}

/** Returns the uuids among the values, so that the names of their records can be fetched. */
export function keysIn(changes: readonly FieldChange[]): string[] {
  const values = changes.flatMap((change) => [change.before, change.after]);
  return [...new Set(values.filter((value): value is string => value !== null && key(value) !== undefined))].sort();
}

/** Formats a value for display. Returns an empty string for null. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) {
    return '';
  }
  if (typeof value === 'boolean') {
    return value ? 'Yes' : 'No';
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
