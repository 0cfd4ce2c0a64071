/** Writes rows in PostgreSQL's binary COPY format: a header, rows of fields with lengths, and a trailer. */
export class BinaryRows {
  #bytes: Buffer;
  #at = 0;

  constructor(size = 65_536) {
    this.#bytes = Buffer.allocUnsafe(size);
    // The header has a signature, no flags and no extension.
    this.#bytes.write('PGCOPY\n\xff\r\n\0', 'latin1');
    this.#bytes.fill(0, 11, 19);
    this.#at = 19;
  }

  /** Begins a row with this number of fields. */
  row(fields: number): void {
    this.#room(2);
    this.#at = this.#bytes.writeInt16BE(fields, this.#at);
  }

  int4(value: number): void {
    this.#room(8);
    this.#at = this.#bytes.writeInt32BE(4, this.#at);
    this.#at = this.#bytes.writeInt32BE(value, this.#at);
  }

  /** Writes a 64-bit integer. `value` must be a safe integer in JavaScript. */
  int8(value: number): void {
    this.#room(12);
    this.#at = this.#bytes.writeInt32BE(8, this.#at);
    this.#at = this.#bytes.writeInt32BE(Math.floor(value / 4_294_967_296), this.#at);
    this.#at = this.#bytes.writeUInt32BE(value - Math.floor(value / 4_294_967_296) * 4_294_967_296, this.#at);
  }

  /** Writes a time given in milliseconds since 1970. PostgreSQL counts microseconds since 2000. */
  time(milliseconds: number): void {
    this.int8(Math.round((milliseconds - 946_684_800_000) * 1000));
  }

  float8(value: number): void {
    this.#room(12);
    this.#at = this.#bytes.writeInt32BE(8, this.#at);
    this.#at = this.#bytes.writeDoubleBE(value, this.#at);
  }

  text(value: string | null): void {
    if (value === null) {
      this.nothing();
      return;
    }
    // UTF-8 needs at most three bytes for each UTF-16 code unit.
    this.#room(4 + value.length * 3);
    const length = this.#bytes.write(value, this.#at + 4, 'utf8');
    this.#bytes.writeInt32BE(length, this.#at);
    this.#at += 4 + length;
  }

  uuid(value: string): void {
    this.#room(20);
    this.#at = this.#bytes.writeInt32BE(16, this.#at);
    this.#at += this.#bytes.write(value.replaceAll('-', ''), this.#at, 'hex');
  }

  nothing(): void {
    this.#room(4);
    this.#at = this.#bytes.writeInt32BE(-1, this.#at);
  }

  end(): Buffer {
    this.#room(2);
    this.#at = this.#bytes.writeInt16BE(-1, this.#at);
    return this.#bytes.subarray(0, this.#at);
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
