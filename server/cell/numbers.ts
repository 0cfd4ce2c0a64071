import { CHANNEL_KEY, type Column, NUMBERED, type NumberedColumn } from './tables.ts';

/** A row of an export: the text of each column, or null. */
export type TextRow = (string | null)[];

/** Maps the numeric keys of the exporting cell to the new keys in the importing cell. */
export class Numbers {
  readonly #maps = new Map<string, Map<string, string>>();

  add({ table }: NumberedColumn, old: readonly string[], assigned: readonly string[]): void {
    const map = this.#maps.get(table) ?? new Map<string, string>();
    this.#maps.set(table, map);
    for (const [index, number] of old.entries()) map.set(number, assigned[index] as string);
  }

  /**
   * Returns a function that replaces the numeric keys in a row of the given table; undefined if the table has no
   * numeric keys.
   */
  replacerOf(table: string, columns: readonly Column[]): ((row: TextRow) => void) | undefined {
    const place = (name: string) => columns.findIndex((column) => column.name === name);
    const own = NUMBERED.find((numbered) => numbered.table === table);
    if (own) return this.#replace(own.table, place(own.column));
    if (place(CHANNEL_KEY) >= 0) return this.#replace('tocsin.sensor_channel', place(CHANNEL_KEY));
    if (table !== 'tocsin.audit') return undefined;
    // The audit trail identifies a command by its numeric key. Entries about deleted commands keep the key from the
    // exporting cell.
    const [noun, key] = [place('noun'), place('row_key')];
    const commands = this.#maps.get('tocsin.reply_message');
    return (row) => {
      if (row[noun] === 'reply_message') row[key] = commands?.get(row[key] as string) ?? (row[key] as string);
    };
  }

  #replace(table: string, index: number): (row: TextRow) => void {
    const map = this.#maps.get(table);
    return (row) => {
      const assigned = map?.get(row[index] as string);
      if (assigned === undefined)
        throw new Error(
          `The file refers to the key ${row[index]} of ${table}, but does not contain it. Export the customer again.`,
        );
      row[index] = assigned;
    };
  }
}
