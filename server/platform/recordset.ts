type ColumnType = 'uuid' | 'text' | 'smallint' | 'int' | 'bigint' | 'float8' | 'boolean' | 'jsonb';

/**
 * The from clause that reads rows from a parameter holding `JSON.stringify(rows)`: one parameter for any number of rows, and one
 * statement text, which the database plans once. Columns are named as the keys of the rows.
 */
export function recordset(alias: string, columns: Readonly<Record<string, ColumnType>>, parameter = 1): string {
  const definitions = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
  return `json_to_recordset($${parameter}) as ${alias} (${definitions.join(', ')})`;
}
