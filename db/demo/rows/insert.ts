import type { Row, Table } from './tables.ts';

/** The methods of a database transaction that the loader uses. */
export interface Tx {
  query(text: string, values?: readonly unknown[]): Promise<{ rows: any[]; rowCount: number }>;
}

const rowsAtOnce = 5000;

/** Inserts rows in batches of a few thousand. Times are milliseconds since 1970. Returns the number of rows. */
export async function insert<T extends Table>(tx: Tx, into: T, rows: readonly Row<T>[]): Promise<number> {
  const names = Object.keys(into.columns) as (keyof T['columns'] & string)[];
  const arrays = names.map((name, index) => `$${index + 1}::${(into.columns as Record<string, string>)[name]}[]`);
  const list = names.map((name) => `"${name}"`).join(', ');
  // The rows must stay in order, because identity columns number them in the order of insertion.
  const text = `insert into ${into.name} (${list}) select ${list} from unnest(${arrays.join(', ')}) with ordinality as t (${list}, nth) order by nth`;
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    const some = rows.slice(first, first + rowsAtOnce);
    const values = names.map((name) => {
      const isTime = (into.columns as Record<string, string>)[name] === 'timestamptz';
      return some.map((row) =>
        isTime && row[name] !== null ? new Date(row[name] as number).toISOString() : row[name],
      );
    });
    await tx.query(text, values);
  }
  return rows.length;
}
