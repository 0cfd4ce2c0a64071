import { key } from '../../kit/list/list.ts';
import { fieldWords, recordOf } from './audit-words.ts';

export interface FieldChange {
  column: string;
  label: string;
  /** The value as plain text; null where there was no row. */
  before: string | null;
  after: string | null;
}

/** Columns that tell nothing: they change with every change, or are the same for every row of the plant or of the trail. */
const untold = new Set(['created_at', 'updated_at', 'last_updated', 'uuid', 'tocsin_customer_uuid']);

/**
 * What a change did, field by field. Of a changed row only the fields that differ; of a row that was created or deleted
 * every field that held something.
 */
export function changesOf(before: unknown, after: unknown): FieldChange[] {
  const old = recordOf(before);
  const fresh = recordOf(after);
  const columns = new Set([...Object.keys(old ?? {}), ...Object.keys(fresh ?? {})]);
  return [...columns]
    .filter((column) => !untold.has(column))
    .map((column) => ({
      column,
      label: fieldWords(column),
      before: old ? textOf(old[column]) : null,
      after: fresh ? textOf(fresh[column]) : null,
    }))
    .filter((change) => (old && fresh ? change.before !== change.after : (change.before ?? change.after) !== ''))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'));
}

/** The keys among the values: what they point at has a name that says more. */
export function keysIn(changes: readonly FieldChange[]): string[] {
  const values = changes.flatMap((change) => [change.before, change.after]);
  return [...new Set(values.filter((value): value is string => value !== null && key(value) !== undefined))].sort();
}

/** A value as a person would read it; nothing at all is an empty text. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) {
    return '';
  }
  if (typeof value === 'boolean') {
    return value ? 'Yes' : 'No';
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
