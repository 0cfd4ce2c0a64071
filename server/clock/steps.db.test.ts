/** Deadlines keep their remaining time when somebody sets the machine's clock while the product runs. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disposeTestDatabases } from '../../test/harness/database/database.ts';
import type { UserRow } from '../../test/harness/database/factories.ts';
import { isLong } from '../../test/harness/long.ts';
import { countOf } from '../../test/harness/server/metrics.ts';
import { TurnedClock } from '../../test/harness/server/turned-clock.ts';
import { Plant, type Station } from '../../test/scenarios/plant.ts';
import { silentLog } from '../platform/log.ts';

const SECOND = 1000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;

afterAll(disposeTestDatabases);

class Machine {
  plant!: Plant;
  readonly warnings: string[] = [];
  readonly clock: TurnedClock;
  /** True time minus the steady clock, in milliseconds. */
  readonly #ahead: number;

  constructor(start: Date) {
    this.clock = new TurnedClock(start);
    this.#ahead = start.getTime() - this.clock.hand.steady();
  }

  async start(): Promise<void> {
    // Nothing listens on this port, so every message fails and is retried.
    const log = { ...silentLog, warn: (text: string) => void this.warnings.push(text) };
    this.plant = await Plant.start({ smtpUrl: 'smtp://127.0.0.1:1' }, { clock: this.clock, log });
  }

  get trueTime(): number {
    return this.clock.hand.steady() + this.#ahead;
  }

  async step(seconds: number): Promise<void> {
    this.clock.hand.step(seconds * SECOND);
    await this.plant.settle();
  }

  async frame(station: Station, body: object): Promise<void> {
    const pipeline = this.plant.app.gateway?.pipeline;
    const device = await pipeline?.identify(station.sensor.uid, station.sensor.token);
    if (!pipeline || !device?.ok) throw new Error('The device is not known.');
    const answer = await pipeline.receive(device, { protocol: 'http', body: Buffer.from(JSON.stringify(body)) });
    if (!answer.ok) throw new Error(answer.sentence);
    await this.plant.settle();
  }

  /** Sends a value without a device time, so the server assigns the time. */
  untimed = (station: Station, value: number) => this.frame(station, { 1: value });
  /** Sends a value with the true time as device time, as a device with a correct clock does. */
  timed = (station: Station, value: number) => this.frame(station, { t: this.trueTime, 1: value });

  async stationWithRule(debounce: number): Promise<Station> {
    const station = await this.plant.station();
    await this.plant.rule(station, { name: 'High level', debounce });
    return station;
  }

  async isOpen({ site }: Station): Promise<boolean> {
    return (await this.plant.open(site)).length > 0;
  }

  async shown(station: Station): Promise<number> {
    const [row] = await this.plant.query('select latest_value as value from tocsin.asset_datapoint where uuid = $1', [
      station.datapointUuid,
    ]);
    return row.value;
  }

  async notes(station: Station): Promise<string[]> {
    const rows = await this.plant.query('select note from tocsin.incoming_sensor_log where uid = $1', [
      station.sensor.uid,
    ]);
    return rows.flatMap(({ note }) => note ?? []);
  }
}

function machineAt(start: Date): Machine {
  const machine = new Machine(start);
  beforeAll(() => machine.start());
  afterAll(() => machine.plant?.close());
  return machine;
}

const spring = machineAt(new Date('2026-03-29T00:59:30Z'));
const autumn = machineAt(new Date('2026-10-25T00:59:30Z'));

describe.each([
  ['forward', spring],
  ['back', autumn],
])('when daylight saving turns the clocks %s', (_title, machine) => {
  test('debounces and escalations keep their length, and values are evaluated', async () => {
    const { plant } = machine;
    const station = await machine.stationWithRule(120);
    const boss = await plant.person({ name: 'Boss' });
    await plant.alert(station.site, 'High level', { escalate: [boss] });
    await machine.untimed(station, 150);
    await plant.pass(119);
    expect(await machine.isOpen(station)).toBe(false);
    await plant.pass(1);
    expect(await machine.isOpen(station)).toBe(true);
    const escalations = async () =>
      (await plant.messages(station.site)).filter(({ kind }) => kind === 'escalation').length;
    await plant.pass(15 * MINUTE - 1);
    expect(await escalations()).toBe(0);
    await plant.pass(1);
    expect(await escalations()).toBe(1);
    await machine.timed(station, 50);
    await plant.pass(120);
    expect(await machine.isOpen(station)).toBe(false);
  });
});

describe.each([
  ['jumps 2 h ahead', 2 * HOUR],
  ['jumps 30 min back', -30 * MINUTE],
  ['jumps 2 h back', -2 * HOUR],
])('when the machine clock %s', (_title, by) => {
  const machine = spring;
  const pass = (seconds: number) => machine.plant.pass(seconds);

  test('a debounce of 120 s ends after 120 s while readings arrive', async () => {
    const station = await machine.stationWithRule(120);
    await machine.untimed(station, 150);
    await pass(10);
    await machine.step(by);
    await machine.untimed(station, 151);
    await pass(105);
    await machine.untimed(station, 152);
    expect(await machine.isOpen(station), 'after 115 s').toBe(false);
    await pass(10);
    expect(await machine.isOpen(station), 'after 125 s').toBe(true);
  });

  test('values are evaluated and shown, with server times and with correct device times', async () => {
    const [untimed, timed] = [await machine.stationWithRule(0), await machine.stationWithRule(0)];
    await machine.untimed(untimed, 50);
    await machine.timed(timed, 50);
    await machine.step(by);
    await pass(5);
    await machine.untimed(untimed, 150);
    await machine.timed(timed, 150);
    expect([await machine.isOpen(untimed), await machine.isOpen(timed)]).toEqual([true, true]);
    expect([await machine.shown(untimed), await machine.shown(timed)]).toEqual([150, 150]);
    expect(await machine.notes(timed), 'its clock is not ahead').toEqual([]);
    await pass(5);
    await machine.untimed(untimed, 50);
    await machine.timed(timed, 50);
    expect([await machine.isOpen(untimed), await machine.isOpen(timed)]).toEqual([false, false]);
  });

  test('an escalation comes after its 15 minutes, and a retry after its 10 s', async () => {
    const { plant } = machine;
    const station = await machine.stationWithRule(0);
    const [anna, boss] = [await plant.person({ name: 'Anna' }), await plant.person({ name: 'Boss' })];
    await plant.alert(station.site, 'High level', { alert: [anna], escalate: [boss] });
    await machine.untimed(station, 150);
    const attempts = async () => {
      const rows = await plant.query(
        `select attempts from tocsin.notification where tocsin_site_uuid = $1 and kind = 'alarm'`,
        [station.site.uuid],
      );
      return rows.map((row) => row.attempts);
    };
    const escalated = async () => (await plant.messages(station.site)).some(({ kind }) => kind === 'escalation');
    expect(await attempts()).toEqual([1]);
    await machine.step(by);
    await pass(6);
    expect(await attempts(), 'after 6 s').toEqual([1]);
    await pass(5);
    expect(await attempts(), 'after 11 s').toEqual([2]);
    await pass(15 * MINUTE - 15);
    expect(await escalated(), 'after 14 min 56 s').toBe(false);
    await pass(5);
    expect(await escalated(), 'after 15 min 1 s').toBe(true);
  });

  test('a session ends 12 hours after its last use', async () => {
    const owner = await machine.plant.person({ level: 0 });
    const browser = await machine.plant.browser(owner);
    await machine.step(by);
    await pass(12 * HOUR - 5);
    expect((await browser.graphql('{__typename}')).status).toBe(200);
    await machine.step(-by);
    await pass(12 * HOUR + 5);
    expect((await browser.graphql('{__typename}')).status).toBe(401);
  });

  test('the jump is logged once, counted, and shown to owners only', async () => {
    const { metrics } = machine.plant.app;
    const direction = by > 0 ? 'forward' : 'back';
    const before = await countOf(metrics, { direction });
    machine.warnings.length = 0;
    const people: UserRow[] = [];
    for (const level of [0, 5, 20]) people.push(await machine.plant.person({ level }));
    await machine.step(by);
    await pass(30);
    const answers = [];
    for (const person of people) {
      const browser = await machine.plant.browser(person);
      answers.push((await browser.data('{clockNotice{jumpSeconds differenceSeconds}}')).clockNotice);
    }
    const difference = Math.round(machine.clock.difference / SECOND);
    expect(answers).toEqual([{ jumpSeconds: by, differenceSeconds: difference }, null, null]);
    expect(machine.warnings.filter((text) => text.includes('clock'))).toHaveLength(1);
    expect(await countOf(metrics, { direction })).toBe(before + 1);
  });
});

test("a difference from the database's clock is logged once and shown to owners", async () => {
  const machine = autumn;
  const { plant, clock } = machine;
  const warnings = () => machine.warnings.filter((text) => text.includes('clock'));
  const owner = await plant.browser(await plant.person({ level: 0 }));
  const notice = async () => (await owner.data('{clockNotice{differenceSeconds databaseSeconds}}')).clockNotice;
  machine.warnings.length = 0;
  clock.databaseAhead = 5 * SECOND;
  await plant.pass(30);
  expect([await notice(), warnings()]).toEqual([null, []]);
  clock.databaseAhead = 2 * HOUR * SECOND;
  await plant.pass(30);
  await plant.pass(30);
  expect(await notice()).toEqual({ differenceSeconds: 0, databaseSeconds: 2 * HOUR });
  expect(warnings()).toEqual([expect.stringContaining("differs from the database's")]);
  clock.databaseAhead = 0;
  await plant.pass(30);
  expect(await notice()).toBeNull();
});

describe('a restart', () => {
  const machine = spring;

  test('accepts a clock that is ahead, and pending deadlines keep their remaining time', async () => {
    const { plant } = machine;
    const station = await machine.stationWithRule(120);
    const quick = await machine.stationWithRule(0);
    await machine.untimed(quick, 50);
    await machine.untimed(station, 150);
    await plant.pass(60);
    await machine.step(2 * HOUR - machine.clock.difference / SECOND);
    const before = machine.clock.now().getTime();
    await plant.restart(5);
    expect(machine.clock.difference).toBe(0);
    expect(machine.clock.now().getTime()).toBe(before + 2 * HOUR * SECOND + 5 * SECOND);
    await machine.untimed(station, 151);
    await plant.pass(50);
    expect(await machine.isOpen(station), 'after 115 s').toBe(false);
    await plant.pass(10);
    expect(await machine.isOpen(station), 'after 125 s').toBe(true);
    await machine.untimed(quick, 150);
    expect(await machine.isOpen(quick)).toBe(true);
  });

  test('after the machine was 2 h behind, readings with correct device times are evaluated', async () => {
    const { plant, clock } = machine;
    const station = await machine.stationWithRule(0);
    const correct = (value: number) => {
      const t = clock.hand.steady() + ahead;
      return machine.frame(station, { t, 1: value });
    };
    const ahead = clock.now().getTime() - clock.hand.steady() + 2 * HOUR * SECOND;
    await correct(150);
    expect(await machine.isOpen(station), 'before the correction').toBe(true);
    await machine.step(2 * HOUR - clock.difference / SECOND);
    await plant.pass(60);
    await correct(50);
    expect(await machine.isOpen(station), 'after the correction').toBe(false);
    await plant.restart(5);
    const noted = (await machine.notes(station)).length;
    await correct(151);
    expect([await machine.isOpen(station), await machine.shown(station)], 'after the restart').toEqual([true, 151]);
    expect(await machine.notes(station), 'its clock is not ahead any more').toHaveLength(noted);
  });

  test('continues from the stored time if the clock went back', async () => {
    const { plant } = machine;
    const station = await machine.stationWithRule(120);
    const quick = await machine.stationWithRule(0);
    await machine.untimed(quick, 50);
    await machine.untimed(station, 150);
    const before = machine.clock.now().getTime();
    machine.clock.hand.step(-30 * MINUTE * SECOND);
    await plant.restart(60);
    expect(machine.clock.now().getTime()).toBe(before + 60 * SECOND);
    await machine.untimed(quick, 150);
    expect([await machine.isOpen(quick), await machine.shown(quick)]).toEqual([true, 150]);
    await plant.pass(55);
    expect(await machine.isOpen(station), 'after 115 s').toBe(false);
    await plant.pass(10);
    expect(await machine.isOpen(station), 'after 125 s').toBe(true);
  });
});

describe('under any sequence of steps', () => {
  const machine = spring;

  test('every debounce opens its alarm within 5 s of its real length, and every value is shown', async () => {
    const step = fc.oneof(
      fc.constantFrom(2 * HOUR, -30 * MINUTE, HOUR, -HOUR),
      fc.integer({ min: -6 * HOUR, max: 6 * HOUR }),
    );
    const event = fc.record({ step: fc.option(step), pass: fc.integer({ min: 1, max: 100 }), isSending: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 300 }),
        fc.array(event, { minLength: 1, maxLength: 6 }),
        async (debounce, events) => {
          const station = await machine.stationWithRule(debounce);
          const began = machine.trueTime;
          let value = 150;
          await machine.untimed(station, value);
          for (const { step: by, pass, isSending } of events) {
            if (by !== null) await machine.step(by);
            await machine.plant.pass(pass);
            if (isSending) {
              value += 1;
              await machine.untimed(station, value);
              expect(await machine.shown(station)).toBe(value);
            }
            const seconds = (machine.trueTime - began) / SECOND;
            if (seconds < debounce - 5) expect(await machine.isOpen(station), `after ${seconds} s`).toBe(false);
            if (seconds > debounce + 5) expect(await machine.isOpen(station), `after ${seconds} s`).toBe(true);
          }
        },
      ),
      { numRuns: isLong ? 10 : 5 },
    );
  });
});
