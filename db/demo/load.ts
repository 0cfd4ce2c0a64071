import { planAlarms } from './history/alarms.ts';
import type { SiteHistory, Span } from './history/history.ts';
import { historyStart, planHistory } from './history/history.ts';
import { planMessages } from './history/messages.ts';
import { grid, valuesBetween, valuesOnGrid } from './history/series.ts';
import type { Customer } from './plant/people.ts';
import { demoSignIns, planCustomers } from './plant/people.ts';
import type { Site } from './plant/plant.ts';
import { fewestSites, planSite, shareSites } from './plant/plant.ts';
import { addBase } from './rows/base.ts';
import type { Change } from './rows/change.ts';
import { holdBack, makeChanges, planChanges } from './rows/changes.ts';
import type { Rows } from './rows/config.ts';
import { addSite } from './rows/config.ts';
import { addExtras } from './rows/extras.ts';
import type { Tx } from './rows/insert.ts';
import { insert } from './rows/insert.ts';
import { addPlans } from './rows/plans.ts';
import type { SlotRun } from './rows/records.ts';
import { addAlarms, addFrames, addMessages, ruleAt, slotRuns } from './rows/records.ts';
import { tables } from './rows/tables.ts';
import { DemoTransaction } from './rows/transaction.ts';
import { freezeSamples, ReadingWriter, writeSlots } from './rows/write.ts';
import type { Scale } from './scale.ts';
import { scaleOf } from './scale.ts';

const HOUR = 3_600_000;

/** The database methods that the loader uses. */
export interface DemoDatabase {
  /** Runs `work` on a connection of the login role, outside a transaction. */
  migration<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

export interface DemoOptions {
  db: DemoDatabase;
  /** End of the history. */
  now: Date;
  /** Total number of sites. */
  sites?: number;
  /** Number of full weeks of history before the current week. */
  weeks?: number;
  /** Seed of the generator. The same seed and time give the same rows. */
  seed?: string;
  hashPassword: (plain: string) => Promise<string>;
  onProgress?: (done: number, total: number, label: string) => void;
}

export interface DemoSummary {
  sites: number;
  /** Start of the history. */
  from: Date;
  openAlarms: number;
  /** Number of rows, keyed by table. */
  rows: Record<string, number>;
}

interface Life {
  site: Site;
  history: SiteHistory;
  runs: SlotRun[];
}

/** Loads the demo plant into an empty database in one transaction, so that an interrupted load leaves no rows. */
export async function loadDemo(options: DemoOptions): Promise<DemoSummary> {
  const { db, sites = 60, weeks = 12, seed = 'tocsin', hashPassword } = options;
  if (!Number.isInteger(sites) || sites < fewestSites)
    throw new RangeError(`The demo plant needs a whole number of sites, ${fewestSites} or more.`);
  if (!Number.isInteger(weeks) || weeks < 1 || weeks > 52)
    throw new RangeError('The demo plant needs 1 to 52 weeks of history.');
  const hashes = new Map<string, string>();
  for (const { email } of demoSignIns.people) hashes.set(email, await hashPassword(demoSignIns.password));
  return db.migration((tx) =>
    DemoTransaction.run(tx, options.now, async (transaction) => {
      const loader = new Loader(transaction, { ...options, sites, weeks, seed });
      return loader.load(hashes);
    }),
  );
}

class Loader {
  readonly #transaction: DemoTransaction;
  readonly #tx: Tx;
  readonly #seed: string;
  readonly #total: number;
  readonly #span: Span;
  readonly #scale: Scale;
  readonly #progress: (done: number, label: string) => void;
  readonly #counts: Record<string, number> = {};
  /** The sites that are planned so far, by name. */
  readonly #siteUuids = new Map<string, string>();
  #changes: Change[] = [];
  #openAlarms = 0;
  #analysedAt = 0;

  constructor(transaction: DemoTransaction, options: DemoOptions & { sites: number; weeks: number; seed: string }) {
    const { now, sites, weeks, seed, onProgress } = options;
    this.#transaction = transaction;
    this.#tx = transaction.tx;
    this.#seed = seed;
    this.#total = sites;
    this.#scale = scaleOf(sites);
    this.#span = { start: historyStart(now.getTime(), weeks), now: now.getTime(), rate: this.#scale.rate };
    this.#progress = (done, label) => onProgress?.(done, sites + 1, label);
  }

  async load(hashes: ReadonlyMap<string, string>): Promise<DemoSummary> {
    const { start, now } = this.#span;
    this.#progress(0, 'People and groups');
    await this.#transaction.prepare(new Date(start), new Date(now));
    const customers = planCustomers(this.#seed);
    const shares = shareSites(this.#total);
    const first = customers[0]!;
    const known = Array.from({ length: Math.min(shares[0], 40) }, (_, index) => this.#plan(first, index));
    this.#changes = planChanges(this.#seed, first, known, this.#span);
    const base = noRows();
    addBase(base, this.#seed, customers, this.#span, hashes);
    await this.#insertAll(base);
    let done = 0;
    for (const [which, customer] of customers.entries()) {
      for (let index = 0; index < shares[which]!; index += this.#scale.sitesAtOnce) {
        const last = Math.min(index + this.#scale.sitesAtOnce, shares[which]!);
        const sites = Array.from({ length: last - index }, (_, offset) => this.#plan(customer, index + offset));
        await this.#loadSites(sites, index, done);
        done += sites.length;
        this.#progress(done, `Sites of ${customer.name}`);
        await this.#transaction.checkpoint(done);
      }
    }
    this.#progress(done, 'Finishing');
    await freezeSamples(this.#tx, new Date(now - 3 * 86_400_000));
    await this.#transaction.record({
      default_customer: first.uuid,
      demo: {
        seed: this.#seed,
        sites: this.#total,
        from: new Date(start).toISOString(),
        now: new Date(now).toISOString(),
      },
    });
    await this.#transaction.finish(async () => {
      this.#counts['tocsin.audit'] = await makeChanges(this.#tx, this.#changes);
    });
    this.#progress(done + 1, 'Done');
    return { sites: this.#total, from: new Date(start), openAlarms: this.#openAlarms, rows: this.#counts };
  }

  #plan(customer: Customer, index: number): Site {
    return planSite(this.#seed, customer, index, this.#span.start, this.#scale.leastHealthHours);
  }

  async #loadSites(sites: readonly Site[], firstIndex: number, done: number): Promise<void> {
    const rows = noRows();
    const lives = sites.map((site, offset) => this.#live(rows, site, firstIndex + offset));
    await this.#insertAll(rows);
    if (done + sites.length >= 2 * this.#analysedAt) {
      await this.#transaction.refreshPlans();
      this.#analysedAt = done + sites.length;
    }
    this.#count(
      'tocsin.health_slot',
      await writeSlots(
        this.#tx,
        lives.flatMap(({ runs }) => runs),
      ),
    );
    await this.#loadReadings(lives, done);
  }

  /** Plans the history of a site and adds its rows, except readings, to `rows`. */
  #live(rows: Rows, site: Site, index: number): Life {
    const seed = this.#seed;
    const span = this.#span;
    const { linkManagers } = this.#scale;
    const history = planHistory(seed, site, span);
    const events = planAlarms(seed, site, history, span).map((event) => ({
      ...event,
      limit: ruleAt(this.#changes, event).limit,
    }));
    addSite(rows, seed, site, history, events, linkManagers);
    addExtras(rows, seed, site, history, index, span, linkManagers);
    this.#siteUuids.set(site.name, site.uuid);
    addPlans(rows, seed, site, events, (name) => this.#siteUuids.get(name), span);
    addAlarms(rows, site, events, this.#changes);
    addMessages(rows, site.customer.uuid, site, planMessages(seed, site, events, span));
    this.#openAlarms += events.filter((event) => event.resolvedAt === null).length;
    return { site, history, runs: slotRuns(site, history, span) };
  }

  async #loadReadings(lives: readonly Life[], done: number): Promise<void> {
    const { pace, statePace, frameHours } = this.#scale;
    const times = { fine: grid(this.#span, pace), coarse: grid(this.#span, statePace) };
    const fine = new ReadingWriter(this.#tx, times.fine);
    const coarse = new ReadingWriter(this.#tx, times.coarse);
    const frames = noRows();
    const keys = await this.#channelKeys(lives.map(({ site }) => site));
    for (const [index, { site, history }] of lives.entries()) {
      this.#progress(done + index, `Readings of ${site.customer.name}`);
      for (const point of site.assets.flatMap((asset) => asset.points)) {
        // Analog measurements are stored more often than digital measurements and counters.
        const [writer, moments] = point.kind.type === 2 ? [fine, times.fine] : [coarse, times.coarse];
        await writer.add(
          keys.get(point.channelUuid)!,
          valuesOnGrid(point, history, moments),
          valuesBetween(point, history),
        );
      }
      addFrames(frames, site, history, recent(times.fine, this.#span.now - frameHours * HOUR));
    }
    await fine.finish();
    await coarse.finish();
    this.#count('tocsin.reading', fine.count + coarse.count);
    await this.#insertAll(frames);
  }

  async #channelKeys(sites: readonly Site[]): Promise<Map<string, number>> {
    const uuids = sites.flatMap((site) =>
      site.assets.flatMap((asset) => asset.points.map((point) => point.channelUuid)),
    );
    const { rows } = await this.#tx.query('select uuid, key from tocsin.sensor_channel where uuid = any ($1::uuid[])', [
      uuids,
    ]);
    return new Map(rows.map((row) => [row.uuid, row.key]));
  }

  async #insertAll(rows: Rows): Promise<void> {
    for (const name of Object.keys(tables) as (keyof Rows)[]) {
      const kept = holdBack(tables[name], rows[name], this.#changes);
      if (kept.length > 0) this.#count(tables[name].name, await insert(this.#tx, tables[name], kept));
    }
  }

  #count(table: string, more: number): void {
    this.#counts[table] = (this.#counts[table] ?? 0) + more;
  }
}

function recent(times: readonly number[], from: number): number[] {
  return times.filter((time) => time >= from);
}

function noRows(): Rows {
  return Object.fromEntries(Object.keys(tables).map((name) => [name, []])) as unknown as Rows;
}
