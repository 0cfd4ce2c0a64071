type ColumnType = 'uuid' | 'uuid[]' | 'text' | 'smallint' | 'int' | 'bigint' | 'float8' | 'boolean' | 'jsonb';

/**
 * Returns a FROM item that reads rows from one query parameter, whose value is `JSON.stringify(rows)`. The statement
 * text is the same for any number of rows, so the database plans it once. The column names are the keys of the rows.
 */
export function recordset(alias: string, columns: Readonly<Record<string, ColumnType>>, parameter = 1): string {
  const definitions = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
  return `json_to_recordset($${parameter}) as ${alias} (${definitions.join(', ')})`;
}
