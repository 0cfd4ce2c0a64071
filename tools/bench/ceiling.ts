import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/**
 * Returns how many rows per second the database alone can store. Uses a binary COPY of 1000 rows per commit into a
 * table like `reading`.
 */
export async function rawCeiling(url: string, seconds: number): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    `create table ceiling (channel_key int not null, device_time timestamptz not null, server_time timestamptz not null,
      value float8 not null, primary key (channel_key, device_time))`,
  );
  const rows = 1000;
  const buffer = Buffer.alloc(19 + rows * 46 + 2);
  buffer.write('PGCOPY\n\xff\r\n\0', 'latin1');
  let time = BigInt(Date.now() - 946_684_800_000) * 1000n;
  let count = 0;
  const until = Date.now() + seconds * 1000;
  while (Date.now() < until) {
    time += 1000n;
    let at = 19;
    for (let row = 0; row < rows; row += 1) {
      at = buffer.writeInt16BE(4, at);
      at = buffer.writeInt32BE(4, at);
      at = buffer.writeInt32BE((count + row) % 10_000, at);
      for (const write of [time, time]) {
        at = buffer.writeInt32BE(8, at);
        at = buffer.writeBigInt64BE(write + BigInt(Math.floor((count + row) / 10_000)), at);
      }
      at = buffer.writeInt32BE(8, at);
      at = buffer.writeDoubleBE(row, at);
    }
    buffer.writeInt16BE(-1, at);
    const stream = client.query(copyFrom('copy ceiling from stdin binary'));
    await new Promise<void>((resolve, reject) => {
      stream.on('error', reject).on('finish', () => resolve());
      stream.end(buffer);
    });
    count += rows;
  }
  await client.query('drop table ceiling');
  await client.end();
  return Math.round(count / seconds);
}
