/**
 * Notifications depend only on the order of events. Batches, the protocol, and late arrival of readings make no
 * difference. The tests compare the whole product with a simple model of the notifications to each recipient.
 */
import { connect } from 'node:net';
import fc from 'fast-check';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitsOf } from '../../domain/rule/limits.ts';
import { type ReplayedAlarm, replay, ruleOfLimits } from '../../domain/rule/replay.ts';
import type { UserRow } from '../harness/database/factories.ts';
import { EdgeNode } from '../harness/device/sparkplug.ts';
import { isLong } from '../harness/long.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import { Plant, type Station } from './plant.ts';

const SECOND = 1000;
const TEN_MINUTES = 600 * SECOND;
const UPPER = 100;
/** Number of sequences in `npm test`. */
const RUNS = 6;

interface Reading {
  time: number;
  value: number;
}

interface Sequence {
  debounce: number;
  /** Seconds since the previous reading, and whether the value is above the limit. */
  readings: { gap: number; out: boolean }[];
  /** Sizes of the batches. The list repeats until all readings are sent. */
  batches: number[];
}

const sequences: fc.Arbitrary<Sequence> = fc.record({
  debounce: fc.constantFrom(0, 0, 60, 300),
  readings: fc.array(fc.record({ gap: fc.constantFrom(20, 60, 130, 300, 301, 700), out: fc.boolean() }), {
    minLength: 3,
    maxLength: 12,
  }),
  batches: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
});

let plant: Plant;
let manager: TestBrowser;
let people: Record<'Both' | 'Opening' | 'Ending' | 'Twin' | 'Actor', UserRow>;
beforeAll(async () => {
  plant = await Plant.start();
  manager = await plant.browser(await plant.person({ level: 5 }));
  const phone = { sms_notification: true, phone_number: '+447700900001' };
  people = {
    Both: await plant.person({ name: 'Both' }),
    Opening: await plant.person({ name: 'Opening', flags: phone }),
    Ending: await plant.person({ name: 'Ending' }),
    // `Twin` shares a phone number with another user. Messages to this number are sent only once.
    Twin: await plant.person({ name: 'Twin', flags: { ...phone, email_notification: false } }),
    Actor: await plant.person({ name: 'Actor' }),
  };
});
afterAll(() => plant?.close());

type Watched = Station & { debounce: number };

async function watched(debounce: number): Promise<Watched> {
  const station = await plant.station();
  await plant.rule(station, { name: 'High level', value_upper: UPPER, debounce });
  const { Both, Opening, Ending, Twin, Actor } = people;
  await plant.alert(station.site, 'High level', { alert: [Both, Opening, Twin], resolve: [Both, Ending] });
  await plant.action(station, { action: 1, notify_to: Actor.uuid });
  return { ...station, debounce };
}

/** Returns the readings of a sequence. The time of the last reading is one second before `end`. */
function measured({ readings }: Sequence, end: number): Reading[] {
  const length = readings.reduce((sum, { gap }) => sum + gap, 0) * SECOND;
  let time = end - SECOND - length;
  return readings.map(({ gap, out }, index) => {
    time += gap * SECOND;
    return { time, value: out ? UPPER + 1 + index : UPPER - 1 - index };
  });
}

function inBatches(readings: readonly Reading[], sizes: readonly number[]): Reading[][] {
  const batches: Reading[][] = [];
  for (let from = 0; from < readings.length; from += batches.at(-1)?.length as number) {
    batches.push(readings.slice(from, from + (sizes[batches.length % sizes.length] as number)));
  }
  return batches;
}

function alarmsOf(readings: readonly Reading[], debounce: number): ReplayedAlarm[] {
  const rule = ruleOfLimits(
    limitsOf({ lower: null, upper: UPPER, clearLower: null, clearUpper: null }),
    debounce * SECOND,
  );
  const end = (readings.at(-1)?.time ?? 0) + debounce * SECOND;
  return replay(
    rule,
    readings.map(({ time }) => time),
    readings.map(({ value }) => value),
    end,
  );
}

/**
 * Returns the expected notifications to one address: 'open' or 'end' with the number of the alarm. An 'end' within ten
 * minutes after the previous 'end' is dropped. An 'open' within ten minutes after the previous 'open' is deferred until
 * the ten minutes are over, and is sent if the alarm is then still open.
 */
function model(alarms: readonly ReplayedAlarm[], alert: boolean, resolve: boolean): string[] {
  const sent: string[] = [];
  let last: { kind: 'open' | 'end'; at: number } | undefined;
  const isRepeat = (kind: 'open' | 'end', at: number) => last?.kind === kind && at - last.at < TEN_MINUTES;
  const send = (kind: 'open' | 'end', at: number, alarm: number) => {
    sent.push(`${kind} ${alarm}`);
    last = { kind, at };
  };
  alarms.forEach(({ openedAt, resolvedAt }, alarm) => {
    if (alert && !isRepeat('open', openedAt)) send('open', openedAt, alarm);
    else if (alert) {
      const due = (last?.at ?? 0) + TEN_MINUTES;
      if (resolvedAt === undefined || resolvedAt >= due) send('open', due, alarm);
    }
    if (resolve && resolvedAt !== undefined && !isRepeat('end', resolvedAt)) send('end', resolvedAt, alarm);
  });
  return sent;
}

const ways = ['Both 1', 'Opening 1', 'Opening 3', 'Ending 1'];

function expected(alarms: readonly ReplayedAlarm[]): Record<string, string[]> {
  const opening = model(alarms, true, false);
  const lists = [model(alarms, true, true), opening, opening, model(alarms, false, true)];
  return Object.fromEntries(ways.map((way, index) => [way, lists[index] as string[]]));
}

/** Returns the notifications to each address, in the order in which they were queued. */
async function notified(station: Station): Promise<Record<string, string[]>> {
  const alarms = await plant.query('select uuid from tocsin.alarm where tocsin_site_uuid = $1 order by date_time', [
    station.site.uuid,
  ]);
  const numbers = new Map(alarms.map(({ uuid }, index) => [uuid, index]));
  const rows = await plant.query(
    `select recipient_name as name, method_type as method, kind, tocsin_alarm_uuid as alarm from tocsin.notification
     where tocsin_site_uuid = $1 order by sequence_number`,
    [station.site.uuid],
  );
  const got: Record<string, string[]> = Object.fromEntries(ways.map((way) => [way, []]));
  for (const { name, method, kind, alarm } of rows) {
    const way = `${name === 'Twin' ? 'Opening' : name} ${method}`;
    got[way]?.push(`${kind === 'resolve' ? 'end' : 'open'} ${numbers.get(alarm)}`);
  }
  return got;
}

/**
 * Returns the number of notifications that a simulation of the stored readings predicts, and the number that were sent.
 */
async function counted(station: Watched, from: number): Promise<{ simulated: number; sent: number }> {
  const { simulateRule } = await manager.data(
    'query ($input: SimulateRuleInput!) { simulateRule(input: $input) { messages } }',
    {
      input: {
        datapointUuid: station.datapointUuid,
        ruleName: 'High level',
        valueUpper: UPPER,
        debounce: station.debounce,
        from: new Date(from).toISOString(),
        to: plant.clock.now().toISOString(),
      },
    },
  );
  const sent = await plant.query('select from tocsin.notification where tocsin_site_uuid = $1', [station.site.uuid]);
  return { simulated: simulateRule.messages, sent: sent.length };
}

type Send = (station: Station, batch: readonly Reading[]) => Promise<void>;

const frame: Send = (station, batch) => {
  const now = plant.clock.now().getTime();
  return plant.frame(
    station,
    batch.map(({ time, value }) => [(now - time) / SECOND, value]),
  );
};

/** Advances the server's clock past all debounces, and then past the ten minutes of suppression. */
async function settleAll(debounce: number): Promise<void> {
  await plant.settle();
  await plant.pass(debounce + 1);
  await plant.pass(TEN_MINUTES / SECOND + 1);
}

async function upload(sequence: Sequence, sizes: readonly number[], send: Send): Promise<Watched> {
  const station = await watched(sequence.debounce);
  const readings = measured(sequence, plant.clock.now().getTime());
  for (const batch of inBatches(readings, sizes)) await send(station, batch);
  return station;
}

/** Sends each reading at the time when it was measured. */
async function live(sequence: Sequence): Promise<Watched> {
  const station = await watched(sequence.debounce);
  const length = sequence.readings.reduce((sum, { gap }) => sum + gap + 2, 0);
  for (const reading of measured(sequence, plant.clock.now().getTime() + length * SECOND)) {
    plant.clock.set(new Date(reading.time));
    await frame(station, [reading]);
    await plant.settle();
  }
  return station;
}

const bounce = (gap: number, ...outs: boolean[]) => outs.map((out) => ({ gap, out }));
/** Typical uploads of a logger after a gap. The value leaves the limits repeatedly and is outside at the end. */
const known: Sequence[] = [
  { debounce: 0, readings: bounce(60, true, false, true), batches: [3] },
  { debounce: 0, readings: bounce(60, false, true, false, true, false, true), batches: [2, 3] },
  { debounce: 60, readings: bounce(60, true, false, false, true, true), batches: [5] },
  { debounce: 0, readings: bounce(300, true, false, true, true, false, true), batches: [4] },
  // The last reading resolves the second alarm. It was measured before the deferred opening notification of this alarm
  // was due, but it arrives after that time.
  {
    debounce: 60,
    readings: [
      ...bounce(20, true),
      ...bounce(300, false),
      ...bounce(60, true),
      ...bounce(130, false),
      ...bounce(301, false),
    ],
    batches: [1],
  },
];
const examples = known.map((sequence) => [sequence] as [Sequence]);

describe('notifications depend only on the order of events', () => {
  test('one by one, at once, in any batches, live and simulated give each recipient the same notifications', {
    // A test that times out continues in the background and changes the clock of the next test. A very long timeout
    // avoids this.
    timeout: 1_800_000,
  }, async () => {
    const property = fc.asyncProperty(sequences, async (sequence) => {
      const { debounce, batches } = sequence;
      const from = measured(sequence, plant.clock.now().getTime())[0]?.time as number;
      const stations = {
        oneByOne: await upload(sequence, [1], frame),
        atOnce: await upload(sequence, [sequence.readings.length], frame),
        batches: await upload(sequence, batches, frame),
      };
      const alarms = alarmsOf(measured(sequence, plant.clock.now().getTime()), debounce);
      const isOpen = debounce === 0 && alarms.at(-1)?.resolvedAt === undefined;
      for (const [way, station] of Object.entries(stations)) {
        const got = await notified(station);
        // The last alarm is still open. Its opening notification is queued at once, not after ten minutes.
        if (isOpen && alarms.length > 0) expect(got['Both 1'], way).toContain(`open ${alarms.length - 1}`);
      }
      await settleAll(debounce);
      for (const [way, station] of Object.entries(stations)) {
        expect(await notified(station), way).toEqual(expected(alarms));
        const { simulated, sent } = await counted(station, from);
        expect(simulated, `simulated ${way}`).toBe(sent);
      }
      const began = plant.clock.now().getTime();
      const station = await live(sequence);
      await settleAll(debounce);
      expect(await notified(station), 'live').toEqual(expected(alarms));
      const { simulated, sent } = await counted(station, began);
      expect(simulated, 'simulated live').toBe(sent);
    });
    await fc.assert(property, { numRuns: isLong ? 40 : RUNS, examples });
  });

  const text = (body: string, type: string): RequestInit => ({ body, headers: { 'content-type': type } });
  const post = async (station: Station, path: string, init: RequestInit) => {
    const { token } = station.sensor;
    const response = await fetch(`${plant.app.url}/api/v1/ingest${path}`, {
      ...init,
      method: 'POST',
      headers: { ...init.headers, authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
  };
  const json = (batch: readonly Reading[]) => batch.map(({ time, value }) => ({ t: time, 1: value }));
  const csv = (batch: readonly Reading[]) => batch.map(({ time, value }) => `${time},${value}`).join('\n');
  const port = (protocol: 'tcpPort' | 'mqttPort') => plant.app.gateway?.[protocol] as number;
  const protocols: Record<string, Send> = {
    'a frame over HTTP': (station, batch) =>
      post(station, `/${station.sensor.uid}`, text(JSON.stringify(json(batch)), 'application/json')),
    'a call of several frames over HTTP': (station, batch) => {
      const frames = json(batch).map((data) => ({ uid: station.sensor.uid, ...data }));
      return post(station, '', text(JSON.stringify(frames), 'application/json'));
    },
    'a CSV file of a logger': (station, batch) => post(station, `/${station.sensor.uid}`, text(csv(batch), 'text/csv')),
    MQTT: async ({ sensor }, batch) => {
      const options = { username: sensor.uid, password: sensor.token };
      const client = await connectAsync(`mqtt://127.0.0.1:${port('mqttPort')}`, options);
      await client.publishAsync(`tocsin/${sensor.uid}/up`, JSON.stringify(json(batch)), { qos: 1 });
      await client.endAsync();
    },
    TCP: ({ sensor }, batch) =>
      new Promise((resolve, reject) => {
        const socket = connect(port('tcpPort'), '127.0.0.1');
        let answer = '';
        socket.on('data', (chunk) => {
          answer += chunk;
        });
        socket.on('end', () => (answer.startsWith('OK') ? resolve() : reject(new Error(answer))));
        socket.on('error', reject);
        socket.end(`${sensor.uid} ${sensor.token} ${JSON.stringify(json(batch))}\n`);
      }),
    'Sparkplug B': async ({ sensor }, batch) => {
      const { uid, token } = sensor;
      const node = await EdgeNode.connect(`mqtt://127.0.0.1:${port('mqttPort')}`, { uid, token });
      await node.birth([], batch[0]?.time as number);
      const metrics = batch.map(({ time, value }) => ({
        ...{ name: '1', type: 'Double' as const, timestamp: time, value },
      }));
      await node.say('NDATA', undefined, metrics, batch.at(-1)?.time as number);
      node.end();
    },
  };

  test.each(Object.entries(protocols))('%s gives the same notifications too', { timeout: 600_000 }, async (_, send) => {
    const property = fc.asyncProperty(sequences, async (sequence) => {
      const station = await upload(sequence, sequence.batches, send);
      const alarms = alarmsOf(measured(sequence, plant.clock.now().getTime()), sequence.debounce);
      await settleAll(sequence.debounce);
      expect(await notified(station)).toEqual(expected(alarms));
    });
    await fc.assert(property, { numRuns: isLong ? 20 : Math.ceil(RUNS / 2), examples: examples.slice(0, 2) });
  });
});
