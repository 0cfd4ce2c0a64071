import type { Tx } from './insert.ts';

/** The database already belongs to somebody; the message is a sentence for the person who asked. */
export class DemoRefused extends Error {}

/**
 * The one transaction of the load. The rows are written as the server's own role. The triggers that keep the audit trail
 * are off meanwhile, or it would begin with a record for every row of the plant, and so are those that note what changed for
 * a sensor, which is noted once at the end. Their tables stay locked until then, so nobody else's change can slip through
 * unrecorded.
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
      // When this fails too the connection is gone, and the transaction with it: the first error is the one that tells.
      await tx.query('rollback').catch(() => {});
      throw error;
    }
  }

  /** Makes room for the history, puts triggers to sleep and becomes the server's own role. */
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
    // Only the embedded database lets its references sleep. Those of slots are true without a look: see writeSlots.
    if (this.#checkpoints) this.#asleep.push({ table: 'tocsin.health_slot', trigger: 'all' });
    await this.#turnTriggers('disable');
    await this.#becomeService();
    const { rows: taken } = await this.tx.query('select exists (select from tocsin.customer) as taken');
    if (taken[0]?.taken)
      throw new DemoRefused('This database has customers already. The demo plant needs an empty one.');
  }

  /** Nobody else writes the embedded database's log back, and a large load would let it grow without end. */
  async checkpoint(sitesDone: number): Promise<void> {
    if (!this.#checkpoints || sitesDone < this.#checkpointAt) return;
    this.#checkpointAt = sitesDone + 100;
    await this.tx.query('reset role');
    await this.tx.query('checkpoint');
    await this.#becomeService();
  }

  /** Facts about the installation, by name. */
  async record(facts: Readonly<Record<string, unknown>>): Promise<void> {
    for (const [name, value] of Object.entries(facts)) {
      await this.tx.query(
        `insert into tocsin_private.installation (name, value) values ($1, $2::jsonb)
         on conflict (name) do update set value = excluded.value`,
        [name, JSON.stringify(value)],
      );
    }
  }

  /** Wakes the triggers, does the work that belongs on the audit trail, and leaves the planner with fresh figures. */
  async finish(work: () => Promise<void>): Promise<void> {
    await this.tx.query('reset role');
    await this.#turnTriggers('enable');
    await this.#becomeService();
    // A process that heard from one of these sensors before they were here has to look again.
    await this.tx.query(
      `with noted as (
         insert into tocsin_private.device_change (tocsin_sensor_uuid) select uuid from tocsin.sensor returning tocsin_sensor_uuid)
       select pg_notify('tocsin_device', tocsin_sensor_uuid::text) from noted`,
    );
    // Partners and customers came with their numbers; the next ones go on from there.
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
   * Lets the planner see how the tables have grown. Its plans for checking references are made for empty tables otherwise,
   * and a check that walks through a whole table makes a large load slower with every site.
   */
  async refreshPlans(): Promise<void> {
    await this.tx.query('reset role');
    await this.#analyse();
    await this.#becomeService();
  }

  /** Readings and frames are left out: nothing refers to them, and they are found by their keys. */
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
