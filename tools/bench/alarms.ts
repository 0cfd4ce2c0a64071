/**
 * Measures the path from a reading to a notified person: the cost of evaluating rules under load, the latency from a
 * reading to the alarm and to the mail server, and the behaviour in a flood of alarms. Also measures the simulation of
 * a rule on past readings and the advice for a rule. Prints one JSON line. Run nothing else at the same time.
 *
 *   BENCH_SECONDS=60 node tools/bench/alarms.ts [postgres|embedded] [evaluation|quiet|simulation|advice|latency|storm]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type TestPostgres } from '../../test/harness/database/postgres.ts';
import {
  type AlarmPlant,
  addAlarmPlant,
  addOffice,
  addRules,
  prepareStorm,
  switchQuiet,
  switchRules,
} from '../../test/harness/device/alarm-plant.ts';
import { type DevicePlant, makeDevicePlant } from '../../test/harness/device/device-plant.ts';
import { type SmtpCatcher, startSmtpCatcher } from '../../test/harness/provider/smtp.ts';
import { type Product, signIn, startAsUsersDo } from '../../test/harness/server/product.ts';
import { addAdvicePlant, advice } from './advice.ts';
import { notifiedInFlood } from './alarm-flood.ts';
import { alarmLatency } from './alarm-latency.ts';
import { storm } from './alarm-storm.ts';
import { quantile } from './quantile.ts';
import { type Loaded, portOf, runLoad } from './run-load.ts';

const seconds = Number(process.env.BENCH_SECONDS ?? 60);
const rounds = Number(process.env.BENCH_ROUNDS ?? 2);
const only = process.argv[3];
const wanted = (part: string) => only === undefined || only === part;
const kinds = process.argv[2] ? [process.argv[2]] : ['postgres', 'embedded'];

/** Share of the readings that change the state of a rule. */
const CHANGING = 0.002;
const BATCH_CONNECTIONS = 40;
/** Number of recipients of each alarm in the storm. */
const RECIPIENTS = 100;

class Bench {
  readonly folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'));
  readonly settings: Record<string, string> = { TOCSIN_DATA_DIR: join(this.folder, 'data') };
  postgres: TestPostgres | undefined;
  product: Product | undefined;
  smtp: SmtpCatcher | undefined;
  plant: DevicePlant | undefined;

  async open(kind: string): Promise<void> {
    this.smtp = await startSmtpCatcher();
    if (kind === 'postgres') {
      this.postgres = await startPostgres(undefined, 'durable');
      await this.postgres.createDatabase('bench');
      this.settings.DATABASE_URL = this.postgres.urlFor('bench');
    }
    this.plant = await makeDevicePlant(this.settings);
  }

  async start(): Promise<Product> {
    this.product = await startAsUsersDo({
      ...this.settings,
      TOCSIN_DEMO: 'off',
      TOCSIN_HOST: '127.0.0.1',
      TOCSIN_DEVICE_FRAMES_PER_SECOND: '1000',
      SMTP_URL: this.smtp?.url as string,
      ...(process.env.BENCH_PROFILE && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${process.env.BENCH_PROFILE}` }),
    });
    return this.product;
  }

  async stop(): Promise<void> {
    await this.product?.stop();
    this.product = undefined;
  }

  load(mode: string, howLong: number, connections: number, rate = 0): Promise<Loaded> {
    const http = [portOf(this.product?.url as string)];
    const plant = this.plant as DevicePlant;
    const options = { folder: this.folder, plant, http, changing: CHANGING };
    return runLoad({ ...options, mode, seconds: howLong, connections, rate });
  }

  async close(): Promise<void> {
    await this.stop();
    await this.smtp?.stop();
    await this.postgres?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * Runs the same load in two states of the plant, in alternating rounds, because the machine's speed varies. Each round
 * also rolls up the readings of the previous round, so the order within a round alternates too. Returns the mean rate
 * of each state and the rates of its rounds.
 */
async function compareRates(
  bench: Bench,
  change: (isSecond: boolean) => Promise<void>,
): Promise<{ means: [number, number]; rounds: [number[], number[]] }> {
  const rates: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const isSecond of round % 2 === 0 ? [false, true] : [true, false]) {
      await change(isSecond);
      await bench.start();
      await bench.load('batch', 5, BATCH_CONNECTIONS);
      const { readingsPerSecond, failed } = await bench.load('batch', seconds / rounds, BATCH_CONNECTIONS);
      if (failed > 0) throw new Error(`${failed} calls failed.`);
      rates[isSecond ? 1 : 0].push(readingsPerSecond);
      await bench.stop();
    }
  }
  const mean = (values: number[]) => Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
  return { means: [mean(rates[0]), mean(rates[1])], rounds: rates };
}

const shareOf = (rate: number, other: number) => Math.round((rate / other) * 1000) / 1000;

async function evaluation(bench: Bench, kind: string): Promise<Record<string, unknown>> {
  const { means, rounds } = await compareRates(bench, (enabled) => switchRules(bench.settings, enabled));
  const [without, evaluated] = means;
  return {
    withoutRules: without,
    readingsPerSecond: evaluated,
    share: shareOf(evaluated, without),
    rounds: { without: rounds[0], evaluated: rounds[1] },
    target: `at least 0.85 of the rate without rules${kind === 'postgres' ? ', and at least 100000/s' : ''}`,
  };
}

/** Compares the evaluation with and without a tenth of the rules shelved or in maintenance. */
async function quiet(bench: Bench): Promise<Record<string, unknown>> {
  const { means, rounds } = await compareRates(bench, (isQuiet) => switchQuiet(bench.settings, isQuiet));
  const [none, tenth] = means;
  return {
    noneQuiet: none,
    tenthQuiet: tenth,
    share: shareOf(tenth, none),
    rounds: { none: rounds[0], tenth: rounds[1] },
    target: 'at least 0.95 of the rate without shelvings and windows',
  };
}

const simulateRule = `query ($input: SimulateRuleInput!) { simulateRule(input: $input) {
  readings alarmCount alarmsPerDay chattering messages missedCount alarms { since openedAt resolvedAt peak } } }`;

async function simulation(
  { url }: Product,
  plant: DevicePlant,
  { history }: AlarmPlant,
): Promise<Record<string, unknown>> {
  const headers = await signIn(url, plant.owner.email, plant.owner.password);
  const input = {
    datapointUuid: history.datapointUuid,
    valueUpper: 95,
    clearUpper: 90,
    debounce: 300,
    from: new Date(history.from).toISOString(),
    to: new Date(history.to).toISOString(),
  };
  const body = JSON.stringify({ query: simulateRule, variables: { input } });
  const took: number[] = [];
  let answer: any;
  for (let round = 0; round < 23; round += 1) {
    const began = performance.now();
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
    answer = await response.json();
    if (round >= 3) took.push(performance.now() - began);
  }
  const found = answer.data?.simulateRule;
  if (found?.readings !== history.readings)
    throw new Error(`The simulation did not use all readings: ${JSON.stringify(answer)}`);
  return {
    readings: found.readings,
    alarms: found.alarmCount,
    medianMs: quantile(took, 0.5),
    p95Ms: quantile(took, 0.95),
    target: 'under 300 ms',
  };
}

async function bench(kind: string): Promise<Record<string, unknown>> {
  const bench = new Bench();
  const figures: Record<string, unknown> = {};
  try {
    await bench.open(kind);
    const plant = bench.plant as DevicePlant;
    const smtp = bench.smtp as SmtpCatcher;
    figures.rules = await addRules(bench.settings, 100);
    if (wanted('evaluation')) figures.evaluation = await evaluation(bench, kind);
    if (wanted('quiet')) figures.quiet = await quiet(bench);
    await switchQuiet(bench.settings, false);
    const parts = await addAlarmPlant(bench.settings);
    const advised = wanted('advice') ? await addAdvicePlant(bench.settings) : '';
    let product = await bench.start();
    if (wanted('simulation')) figures.simulation = await simulation(product, plant, parts);
    if (wanted('advice')) figures.advice = await advice(product, plant, advised);
    if (wanted('latency')) {
      const probe = { url: product.url, probe: parts.probe, smtp, seconds: Math.max(20, seconds / 2) };
      // Warms up the server, which looks up every sensor on its first frame.
      await bench.load('frame', 15, 100, 200);
      figures.at2000 = {
        ...(await alarmLatency({ ...probe, load: (howLong) => bench.load('frame', howLong, 100, 200) })),
        target: 'reading to alarm p99 under 40 ms, alarm to mail server p99 under 1000 ms',
      };
      figures.at20000 = {
        ...(await alarmLatency({ ...probe, load: (howLong) => bench.load('batch', howLong, BATCH_CONNECTIONS, 80) })),
        target: 'reading to alarm p99 under 300 ms, alarm to mail server p99 under 1000 ms',
      };
    }
    await bench.stop();
    if (wanted('storm')) {
      await prepareStorm(bench.settings, await addOffice(bench.settings, RECIPIENTS));
      smtp.clear();
      product = await bench.start();
      const measured = await storm({ url: product.url, plant, smtp });
      await bench.stop();
      figures.storm = {
        ...measured,
        ...(await notifiedInFlood(bench.settings)),
        target: 'no alarm unreported, no digests within a minute to one address, and the API answers p95 under 200 ms',
      };
    }
  } finally {
    await bench.close();
  }
  return figures;
}

const figures: Record<string, unknown> = {
  machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`,
  node: process.version,
  seconds,
};
for (const kind of kinds) figures[kind] = await bench(kind);
console.log(JSON.stringify(figures));
process.exit(0);
