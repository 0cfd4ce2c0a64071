import type { Tx } from './insert.ts';

/** Thrown if the database already has customers. The message is shown to the user. */
export class DemoRefused extends Error {}

/**
 * The transaction that loads the demo, as tocsin_service. Audit triggers are disabled, because they would record every
 * row. The triggers that record changed sensors are also disabled; `finish` records all sensors once. The tables stay
 * locked, because changes by other sessions would not be recorded.
 */
export class DemoTransaction {
  readonly tx: Tx;
  readonly #now: Date;
  #asleep: { table: string; trigger: string }[] = [];
  #checkpoints = false;
  #checkpointAt = 100;

  private constructor(tx: Tx, now: Date) {
    this.tx = tx;
    this.#now = now;
  }

  static async run<T>(tx: Tx, now: Date, work: (transaction: DemoTransaction) => Promise<T>): Promise<T> {
    await tx.query('begin');
    try {
      const result = await work(new DemoTransaction(tx, now));
      await tx.query('commit');
      return result;
    } catch (error) {
      // Ignores an error of the rollback, which also fails if the connection is lost. The first error is the relevant
      // error.
      await tx.query('rollback').catch(() => {});
      throw error;
    }
  }

  /** Creates partitions, disables triggers and switches to tocsin_service. */
  async prepare(first: Date, last: Date): Promise<void> {
    await this.tx.query(`select set_config('tocsin.now', $1, true), set_config('tocsin.user_uuid', '', true)`, [
      this.#now.toISOString(),
    ]);
    const { rows } = await this.tx.query(
      `select format('%I.%I', n.nspname, c.relname) as table, t.tgname as trigger
       from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('tocsin', 'tocsin_private')
         and (t.tgname = 'record_change' and c.relname <> 'alarm' or t.tgname = 'note_device_change')
       order by 1, 2`,
    );
    this.#asleep = rows;
    const week = 7 * 86_400_000;
    await this.tx.query('call tocsin_private.ensure_partitions($1::timestamptz, $2::timestamptz)', [
      first.toISOString(),
      new Date(last.getTime() + week).toISOString(),
    ]);
    const { rows: traits } = await this.tx.query(
      `select rolsuper and not exists (select from pg_stat_activity where backend_type = 'checkpointer') as alone
       from pg_roles where rolname = session_user`,
    );
    this.#checkpoints = traits[0]?.alone === true;
    // Disables foreign key checks, which only the embedded database's login role is allowed to do. `writeSlots` ensures
    // that slots belong to existing sites.
    if (this.#checkpoints) this.#asleep.push({ table: 'tocsin.health_slot', trigger: 'all' });
    await this.#turnTriggers('disable');
    await this.#becomeService();
    const { rows: taken } = await this.tx.query('select exists (select from tocsin.customer) as taken');
    if (taken[0]?.taken)
      throw new DemoRefused('This database already has customers. The demo plant needs an empty database.');
  }

  /** Runs a checkpoint. The embedded database has no background writer, so its WAL would grow without limit. */
  async checkpoint(sitesDone: number): Promise<void> {
    if (!this.#checkpoints || sitesDone < this.#checkpointAt) return;
    this.#checkpointAt = sitesDone + 100;
    await this.tx.query('reset role');
    await this.tx.query('checkpoint');
    await this.#becomeService();
  }

  /** Stores settings of the installation, keyed by name. */
  async record(facts: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [name, value] of Object.entries(facts)) {
      await this.tx.query(
        `insert into tocsin_private.installation (name, value) values ($1, $2::jsonb)
         on conflict (name) do update set value = excluded.value`,
        [name, JSON.stringify(value)],
      );
    }
  }

  /** Enables the triggers, makes the audited changes and runs ANALYZE. */
  async finish(work: () => Promise<void>): Promise<void> {
    await this.tx.query('reset role');
    await this.#turnTriggers('enable');
    await this.#becomeService();
    // Notifies gateways of all sensors, because a gateway may have cached a sensor as unknown.
    await this.tx.query(
      `with noted as (
         insert into tocsin_private.device_change (tocsin_sensor_uuid) select uuid from tocsin.sensor returning tocsin_sensor_uuid)
       select pg_notify('tocsin_device', tocsin_sensor_uuid::text) from noted`,
    );
    // Reads the highest loaded IDs, so that the sequences continue after them.
    const { rows } = await this.tx.query(
      'select (select max(id) from tocsin.partner) as partner, (select max(id) from tocsin.customer) as customer',
    );
    await work();
    await this.tx.query('reset role');
    for (const table of ['partner', 'customer']) {
      await this.tx.query('select setval(pg_get_serial_sequence($1, $2), $3)', [
        `tocsin.${table}`,
        'id',
        rows[0][table],
      ]);
    }
    await this.#analyse();
  }

  /**
   * Runs ANALYZE during the load. Otherwise the planner assumes empty tables, and foreign key checks scan whole tables.
   */
  async refreshPlans(): Promise<void> {
    await this.tx.query('reset role');
    await this.#analyse();
    await this.#becomeService();
  }

  /**
   * Analyses all tables except readings and frames, which are read by key and have no foreign keys that refer to them.
   */
  async #analyse(): Promise<void> {
    const { rows } = await this.tx.query(
      `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
       where schemaname in ('tocsin', 'tocsin_private') and relname !~ '^(reading|incoming_sensor_log)' order by 1`,
    );
    await this.tx.query(`analyze ${rows.map((row) => row.name).join(', ')}`);
  }

  async #turnTriggers(to: 'enable' | 'disable'): Promise<void> {
    for (const { table, trigger } of this.#asleep) await this.tx.query(`alter table ${table} ${to} trigger ${trigger}`);
  }

  async #becomeService(): Promise<void> {
    await this.tx.query('set local role tocsin_service');
  }
}
