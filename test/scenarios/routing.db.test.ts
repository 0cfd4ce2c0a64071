/** The readings of a sensor may arrive at any process. The tests compare the results with those of a single process. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../server/pipeline/intake.ts';
import { insertRow, serviceQuery } from '../harness/database/factories.ts';
import type { TestSensor } from '../harness/device/devices.ts';
import { isLong, long } from '../harness/long.ts';
import { Cluster, type Process, SECOND, send } from './cluster.ts';
import { contactsOf, createTwins, outcomeOf, type Twin } from './twins.ts';

/**
 * The processes of all tests. The last one serves only the second twin of each pair, and the others serve the first
 * twin.
 */
let cluster: Cluster;
const MANY = 3;
beforeAll(async () => {
  cluster = await Cluster.start(MANY + 1);
});
afterAll(() => cluster?.close());

const LIMIT_MS = isLong ? 300_000 : 45_000;
const LONG_MS = 600_000;

/** Checks a property. No further case starts after the time limit, so a busy machine runs fewer cases. */
function check<T>(cases: fc.Arbitrary<T>, numRuns: number, run: (one: T) => Promise<void>): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  return fc.assert(
    fc.asyncProperty(cases, async (one) => {
      if (performance.now() < end) await run(one);
    }),
    { numRuns },
  );
}

const secondsAgo = (seconds: number) => new Date(cluster.clock.now().getTime() - seconds * SECOND).toISOString();
const stepsOf = async ({ rules: [rule] }: Twin) =>
  (
    await serviceQuery(cluster.db, 'select to_phase from tocsin.rule_transition where watch_uuid = $1 order by id', [
      rule,
    ])
  ).map(({ to_phase }) => to_phase);

describe('a late reading at another process', () => {
  test('keeps the alarm open that a newer reading opened', async () => {
    const [twin] = await createTwins(cluster.db);
    const sensor = twin.sensors[0] as TestSensor;
    await send(cluster.process(0), sensor, { t: secondsAgo(30), '1': 50 });
    await send(cluster.process(1), sensor, { t: secondsAgo(10), '1': 120 });
    await send(cluster.process(0), sensor, { t: secondsAgo(20), '1': 50 });
    expect(await stepsOf(twin)).toEqual(['open']);
  });

  test('opens no alarm that a newer reading contradicts', async () => {
    const [twin] = await createTwins(cluster.db);
    const sensor = twin.sensors[0] as TestSensor;
    await send(cluster.process(0), sensor, { t: secondsAgo(30), '1': 50 });
    await send(cluster.process(1), sensor, { t: secondsAgo(10), '1': 50 });
    await send(cluster.process(0), sensor, { t: secondsAgo(20), '1': 120 });
    expect(await stepsOf(twin)).toEqual([]);
  });
});

test.each([
  ['', () => ({ '2': 50 })],
  [' and a newer one', () => ({ t: secondsAgo(-60), '1': 50 })],
])('values without a device time are all stored after a reading whose device time was ahead%s', async (_, newest) => {
  const results = [];
  for (const processes of [1, 2]) {
    const [twin] = await createTwins(cluster.db);
    const sensor = twin.sensors[0] as TestSensor;
    await send(cluster.process(0), sensor, { t: secondsAgo(-10), '1': 50 });
    cluster.clock.advance(10 * SECOND);
    await send(cluster.process(0), sensor, newest());
    const answers = [];
    for (const number of [0, 1, 0]) answers.push(await send(cluster.process(number % processes), sensor, { '1': 50 }));
    expect(answers.map((answer) => answer.ok && answer.accepted)).toEqual([1, 1, 1]);
    results.push(answers);
  }
  expect(results[1]).toEqual(results[0]);
});

type Op =
  | { op: 'send'; at: number; sensor: number; readings: { channel: number; value: number; age: number | null }[] }
  | { op: 'pass'; seconds: number }
  | { op: 'tick' | 'flush' | 'kill'; at: number }
  | { op: 'rule'; rule: number; column: string; value: number | boolean }
  | { op: 'command'; sensor: number }
  | { op: 'take' | 'confirm'; at: number; sensor: number };

const at = fc.nat(MANY - 1);
const sensor = fc.nat(1);
const reading = fc.record({
  channel: fc.constantFrom(1, 1, 2),
  value: fc.constantFrom(50, 82, 95, 120, 130),
  age: fc.option(fc.constantFrom(0, 0, 1, 2, 5, 10, 20, 40, -3, -10, -60), { freq: 4 }),
});
const change = fc.constantFrom(
  ...[90, 100, 125].map((value) => ({ column: 'value_upper', value })),
  ...[0, 8, 20].map((value) => ({ column: 'debounce', value })),
  ...[true, false].map((value) => ({ column: 'enabled', value })),
);
const operation: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({
      op: fc.constant('send' as const),
      at,
      sensor,
      readings: fc.array(reading, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constantFrom('tick' as const, 'flush' as const, 'kill' as const), at }) },
  { weight: 2, arbitrary: fc.tuple(fc.nat(2), change).map(([rule, one]) => ({ op: 'rule' as const, rule, ...one })) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('command' as const), sensor }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('take' as const, 'confirm' as const), at, sensor }) },
);

/** Runs operations on a twin and records the responses. `process` maps the number in an operation to a process. */
class Run {
  readonly answers: object[] = [];
  readonly twin: Twin;
  readonly #process: (at: number) => Process;
  readonly #received: number[][] = [[], []];

  constructor(twin: Twin, process: (at: number) => Process) {
    this.twin = twin;
    this.#process = process;
  }

  async do(op: Op): Promise<void> {
    if (op.op === 'send') await this.#send(op);
    else if (op.op === 'command') await this.#queue(op.sensor);
    else if (op.op === 'confirm') await this.#confirm(op);
    else if (op.op === 'take') await this.#take(op);
    else if (op.op === 'rule') {
      await serviceQuery(cluster.db, `update tocsin.rule set ${op.column} = $2 where uuid = $1`, [
        this.twin.rules[op.rule],
        op.value,
      ]);
    }
  }

  #sensor(index: number): TestSensor {
    return this.twin.sensors[index] as TestSensor;
  }

  async #send({ at: process, sensor: index, readings }: Extract<Op, { op: 'send' }>): Promise<void> {
    const frames = readings.map(({ channel, value, age }) => {
      return { ...(age !== null && { t: secondsAgo(age) }), [channel]: value };
    });
    this.#note(index, await send(this.#process(process), this.#sensor(index), frames));
  }

  async #confirm({ at: process, sensor: index }: { at: number; sensor: number }): Promise<void> {
    const ack = this.#received[index]?.at(-1);
    if (ack === undefined) return;
    this.#note(index, await send(this.#process(process), this.#sensor(index), { ack, reply: 'done', '2': 50 }));
  }

  async #take({ at: process, sensor: index }: { at: number; sensor: number }): Promise<void> {
    // A notification tells each process about a new command. Gateways fetch the commands again when the notification
    // arrives.
    await cluster.notified();
    const { uid, token } = this.#sensor(index);
    const { pipeline } = this.#process(process);
    const device = await pipeline.identify(uid, token);
    if (!device.ok) throw new Error(device.sentence);
    this.#note(index, { ok: true, commands: await pipeline.takeCommands(device) } as unknown as Answer);
  }

  async #queue(index: number): Promise<void> {
    const { customerUuid, uid } = this.#sensor(index);
    const { id } = await insertRow(cluster.db, 'tocsin.reply_message', {
      tocsin_customer_uuid: customerUuid,
      uid,
      reply_command: 'REBOOT',
      queued_on: cluster.clock.now().toISOString(),
    });
    this.twin.commands.push(Number(id));
  }

  /**
   * Records a response. Replaces command IDs with their positions in the queue, because the IDs differ between twins.
   */
  #note(index: number, answer: Answer): void {
    if (!answer.ok) throw new Error(answer.sentence);
    const commands = answer.commands.map(({ id }) => id);
    this.#received[index]?.push(...commands);
    this.answers.push({ ...answer, commands: commands.map((id) => this.twin.commands.indexOf(id)) });
  }
}

/**
 * The current pair of plants. Several sequences use the same pair, because creating a pair takes longer than running a
 * sequence.
 */
let pair: { twins: [Twin, Twin]; left: number } | undefined;
const SEQUENCES = 10;

async function twinsForSequence(): Promise<[Twin, Twin]> {
  pair ??= { twins: await createTwins(cluster.db), left: SEQUENCES };
  const { twins } = pair;
  pair.left -= 1;
  if (pair.left === 0) pair = undefined;
  return twins;
}

/**
 * Runs each operation on the first twin with the process that the operation specifies, and on the second twin with a
 * single process. Expects equal results.
 */
async function compare(operations: readonly Op[], processes: number): Promise<void> {
  const [many, one] = await twinsForSequence();
  const kept = pair;
  // Forgets the pair while the sequence runs. If the comparison fails, the plants differ, and the next sequence must
  // use a new pair.
  pair = undefined;
  const routed = new Run(many, (number) => cluster.process(number % processes));
  const single = new Run(one, () => cluster.process(MANY));
  for (const op of operations) {
    if (op.op === 'pass') cluster.clock.advance(op.seconds * SECOND);
    else if (op.op === 'tick') await cluster.tick(op.at % processes);
    else if (op.op === 'flush') await cluster.process(op.at % processes).pipeline.behind.flush();
    else if (op.op === 'kill') await cluster.kill(op.at % processes);
    await routed.do(op);
    await single.do(op);
  }
  await cluster.flush();
  const killed = operations.some(({ op }) => op === 'kill');
  if (killed) await cluster.process(0).pipeline.repair.run('vanished');
  expect(routed.answers).toEqual(single.answers);
  expect(await outcomeOf(cluster.db, many)).toEqual(await outcomeOf(cluster.db, one));
  if (!killed) expect(await contactsOf(cluster.db, many)).toEqual(await contactsOf(cluster.db, one));
  const sent = routed.answers.flatMap((answer) => (answer as { commands: number[] }).commands);
  expect(sent).not.toContain(-1);
  pair = kept;
  cluster.clock.advance(100 * SECOND);
}

describe('any routing over several processes has the result of one process', () => {
  const property = (processes: number, numRuns: number) => {
    const sequences = fc.array(operation, { minLength: 5, maxLength: 25 });
    return check(sequences, numRuns, (operations) => compare(operations, processes));
  };

  test('for two processes', () => property(2, 8));
  test('for three processes', () => property(3, 8));
  long('for two processes and many sequences', () => property(2, 400), LONG_MS);
  long('for three processes and many sequences', () => property(3, 400), LONG_MS);
});

interface Arrival {
  process: number;
  age: number;
  value: number;
}

interface Possible {
  time: number;
  value: number;
  isOpen: boolean;
  steps: string[];
}

/**
 * Applies readings in the given order to a rule with an upper limit of 100. Ignores each reading that is not newer than
 * all readings before it.
 */
function applyAll(start: Possible, arrivals: readonly { time: number; value: number }[]): Possible {
  let { time, value, isOpen, steps } = start;
  for (const next of arrivals) {
    if (next.time <= time) continue;
    ({ time, value } = next);
    if (isOpen === value > 100) continue;
    isOpen = value > 100;
    steps = [...steps, isOpen ? 'open' : 'normal'];
  }
  return { time, value, isOpen, steps };
}

function* ordersOf<T>(items: readonly T[]): Generator<T[]> {
  if (items.length <= 1) yield [...items];
  for (const [index, first] of items.entries()) {
    if (items.length > 1) for (const rest of ordersOf(items.toSpliced(index, 1))) yield [first, ...rest];
  }
}

describe('readings that several processes store at the same moment', () => {
  const round = fc.array(fc.record({ process: at, age: fc.nat(4), value: fc.constantFrom(50, 60, 120, 130) }), {
    minLength: 1,
    maxLength: 3,
  });

  /** Runs the rounds one after another. Sends the readings of a round concurrently. */
  async function inRounds(roundsOfSensors: readonly (readonly Arrival[])[][]): Promise<void> {
    const twins = await Promise.all(roundsOfSensors.map(async () => (await createTwins(cluster.db))[0]));
    let possible = roundsOfSensors.map((): Possible[] => [
      { time: Number.NEGATIVE_INFINITY, value: 0, isOpen: false, steps: [] },
    ]);
    for (let number = 0; number < Math.max(...roundsOfSensors.map(({ length }) => length)); number += 1) {
      const now = cluster.clock.now().getTime();
      await Promise.all(
        roundsOfSensors.flatMap((rounds, index) =>
          (rounds[number] ?? []).map(async ({ process, age, value }) => {
            const answer = await send(cluster.process(process), twins[index]?.sensors[0] as TestSensor, {
              t: secondsAgo(age),
              '1': value,
            });
            expect(answer.ok).toBe(true);
          }),
        ),
      );
      possible = possible.map((before, index) => {
        const arrivals = (roundsOfSensors[index]?.[number] ?? []).map(({ age, value }) => ({
          time: now - age * SECOND,
          value,
        }));
        const after = [...ordersOf(arrivals)].flatMap((order) => before.map((start) => applyAll(start, order)));
        return arrivals.length === 0 ? before : [...new Map(after.map((one) => [JSON.stringify(one), one])).values()];
      });
      cluster.clock.advance(SECOND);
    }
    await cluster.flush();
    for (const [index, twin] of twins.entries()) {
      const [row] = await serviceQuery(
        cluster.db,
        'select latest_value as value, last_updated as at from tocsin.asset_datapoint where uuid = $1',
        [twin.sensors[0]?.channels[0]?.datapointUuid],
      );
      const actual = { time: row.at.getTime(), value: row.value, steps: await stepsOf(twin) };
      const expected = possible[index]?.map(({ time, value, steps }) => ({ time, value, steps }));
      expect(expected).toContainEqual(actual);
    }
  }

  const property = (numRuns: number) =>
    check(fc.array(fc.array(round, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 }), numRuns, inRounds);

  test('have the result of some order', () => property(10));
  long('have the result of some order, in many cases', () => property(250), LONG_MS);
});
