import type { Tx } from './insert.ts';
import type { SlotRun } from './records.ts';

const readingsAtOnce = 20_000;

/** Returns a PostgreSQL array literal of numbers, which is much faster than one parameter for each number. */
function numbers(values: readonly (number | undefined)[]): string {
  let text = '{';
  for (let index = 0; index < values.length; index++) {
    if (index > 0) text += ',';
    const value = values[index];
    text += value === undefined ? 'NULL' : value;
  }
  return `${text}}`;
}

/**
 * Writes readings in large statements while the next readings are generated. All series share the same times, so only
 * the values are sent.
 */
export class ReadingWriter {
  readonly #tx: Tx;
  readonly #times: string[];
  #keys: number[] = [];
  #values: (number | undefined)[] = [];
  #loose: { key: number; time: number; value: number }[] = [];
  #running: Promise<unknown> = Promise.resolve();
  count = 0;

  constructor(tx: Tx, times: readonly number[]) {
    this.#tx = tx;
    this.#times = times.map((time) => new Date(time).toISOString());
  }

  /** Adds the readings of one channel, both at the sampling times and between them. */
  async add(
    key: number,
    values: readonly (number | undefined)[],
    between: readonly { time: number; value: number }[],
  ): Promise<void> {
    this.#keys.push(key);
    for (const value of values) this.#values.push(value);
    for (const { time, value } of between) this.#loose.push({ key, time, value });
    if (this.#values.length >= readingsAtOnce) await this.#flushGrid();
    if (this.#loose.length >= readingsAtOnce) await this.#flushLoose();
  }

  async finish(): Promise<void> {
    await this.#flushGrid();
    await this.#flushLoose();
    await this.#running;
  }

  async #flushGrid(): Promise<void> {
    if (this.#keys.length === 0) return;
    const values = [this.#keys, this.#times, numbers(this.#values), this.#times.length];
    for (const value of this.#values) if (value !== undefined) this.count++;
    this.#keys = [];
    this.#values = [];
    await this.#run(
      `insert into tocsin.reading (channel_key, device_time, server_time, value)
       select ($1::int[])[(n - 1) / $4::int + 1], t, t + make_interval(secs => 1 + n % 2), v
       from unnest($3::float8[]) with ordinality as series (v, n),
         lateral (select ($2::timestamptz[])[(n - 1) % $4::int + 1]) as at (t)
       where v is not null`,
      values,
    );
  }

  async #flushLoose(): Promise<void> {
    if (this.#loose.length === 0) return;
    const loose = this.#loose;
    this.#loose = [];
    this.count += loose.length;
    await this.#run(
      `insert into tocsin.reading (channel_key, device_time, server_time, value)
       select key, time, time + interval '1 second', value
       from unnest($1::int[], $2::timestamptz[], $3::float8[]) as t (key, time, value)`,
      [
        loose.map((one) => one.key),
        loose.map((one) => new Date(one.time).toISOString()),
        numbers(loose.map((one) => one.value)),
      ],
    );
  }

  /**
   * Waits for the previous statement and throws its error, if any. Then starts the next statement without waiting for
   * it.
   */
  async #run(text: string, values: readonly unknown[]): Promise<void> {
    await this.#running;
    this.#running = this.#tx.query(text, values);
    this.#running.catch(() => {});
  }
}

/**
 *  Writes runs of filled health slots and returns the number of slots. The query joins each site and its customer, so
 * that the slots need no foreign key check.
 */
export async function writeSlots(tx: Tx, runs: readonly SlotRun[]): Promise<number> {
  if (runs.length === 0) return 0;
  const { rowCount } = await tx.query(
    `insert into tocsin.health_slot (tocsin_site_uuid, tocsin_customer_uuid, slot_start)
     select site.uuid, site.tocsin_customer_uuid, to_timestamp(n::float8 * hours * 3600)
     from unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[], $5::int[]) as run (site, customer, hours, first, last)
     join tocsin.site on site.uuid = run.site and site.tocsin_customer_uuid = run.customer,
       generate_series(first, last) as n`,
    [
      runs.map((run) => run.site.uuid),
      runs.map((run) => run.site.customer.uuid),
      runs.map((run) => run.site.healthHours),
      runs.map((run) => run.first),
      runs.map((run) => run.last),
    ],
  );
  // Rebuilds tocsin.health_week, because the embedded database loads slots without running their triggers.
  await tx.query('select tocsin_private.rebuild_health_weeks($1::uuid[])', [runs.map((run) => run.site.uuid)]);
  const slots = runs.reduce((sum, run) => sum + run.last - run.first + 1, 0);
  if (rowCount !== slots) throw new Error(`${slots - rowCount} health slots belong to sites that do not exist.`);
  return slots;
}

/** Stores the samples of recent alarms, as the pipeline does. */
export async function freezeSamples(tx: Tx, since: Date): Promise<void> {
  await tx.query(
    `update tocsin.alarm a set samples = (
       select jsonb_agg(jsonb_build_object('at', round(extract(epoch from r.device_time) * 1000), 'value', r.value) order by r.device_time)
       from (select device_time, value from tocsin.reading where channel_key = c.key and device_time <= a.date_time
         order by device_time desc limit 30) r)
     from tocsin.asset_datapoint d join tocsin.sensor_channel c on c.uuid = d.tocsin_sensor_channel_uuid
     where d.uuid = a.tocsin_datapoint_uuid and (a.date_time >= $1 or a.resolved_date is null)`,
    [since.toISOString()],
  );
}
