type ColumnType = 'uuid' | 'uuid[]' | 'text' | 'smallint' | 'int' | 'bigint' | 'float8' | 'boolean' | 'jsonb';

/**
 * Returns a FROM item that reads rows from a parameter, whose value is `JSON.stringify(rows)`. Any number of rows needs
 * only one parameter and one statement text, which the database plans once. The column names are the keys of the rows.
 */
export function recordset(alias: string, columns: Readonly<Record<string, ColumnType>>, parameter = 1): string {
  const definitions = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
  return `json_to_recordset($${parameter}) as ${alias} (${definitions.join(', ')})`;
}
