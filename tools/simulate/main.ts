import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { plural } from '../../domain/plural.ts';
import type { Curves } from './curves.ts';
import { createClient } from './device.ts';
import { type Counts, zeroCounts } from './frame-queue.ts';
import { PlanError, type Protocol, protocols, readPlan } from './plan.ts';
import { logFirstOfEachReason, reportLine, startPlant } from './plant.ts';
import { readSeries, retime, startReplay } from './replay.ts';

const help = `Simulates a plant: sends frames to a Tocsin server as real devices do.

  npm run simulate -- --plan plant.json                a plant from a file; - reads it from standard input
                      --curves module.ts               additional curves: a module that exports them as "shapes"

  npm run simulate -- --csv file.csv                   one sensor that replays a file with a header line
      --time-column timestamp --value-column value     the two columns to read
      --uid P-1 --token ... --channel 1                the sensor and its channel
      --speed 60 | max                                 speed factor; max sends all rows at once, moved in time so that they end now
      --keep-times                                     with max: keep the times from the file
      --server http://localhost:8080                   or mqtt://localhost:1883, or tcp://localhost:5055

A plan:

  { "seed": "one", "server": { "http": "http://localhost:8080", "mqtt": "mqtt://localhost:1883", "tcp": "tcp://localhost:5055" },
    "sensors": [{ "uid": "P-1", "token": "...", "protocol": "mqtt", "format": "json", "everySeconds": 15,
      "silence": { "everySeconds": 3600, "forSeconds": 300 }, "badFrames": { "chance": 0.01 },
      "gsm": { "provider": "North", "signal": -77 },
      "channels": [
        { "channel": "1", "kind": "analog", "curve": "sawtooth", "periodSeconds": 3600, "low": 1, "high": 2.7, "noise": 0.02,
          "rhythm": { "by": 0.3, "peakHour": 18 }, "stuck": { "chance": 0.05, "slotSeconds": 3600, "forSeconds": 600 },
          "drift": { "perHour": 0.1, "when": { "from": "2026-11-15T00:00:00Z" } },
          "spikes": [{ "to": 4.5, "riseSeconds": 60, "when": { "chance": 0.1, "slotSeconds": 3600, "forSeconds": 300 } }] },
        { "channel": "2", "kind": "digital", "curve": "square", "periodSeconds": 600 },
        { "channel": "total", "kind": "counter", "perHour": 12 }] }] }

Curves: flat, sine, sawtooth, square, wander.

An occasion (silence, badFrames, stuck, when) has one of three forms: { chance } is a probability in each time slot,
{ everySeconds, forSeconds } is a schedule, and { from, to } is a single period.

Every minute the simulator prints the number of frames by outcome. It prints the first refusal for each reason immediately.
Over HTTP, a frame also counts as refused if none of its values can be used. MQTT and TCP do not report this.
If the server is not responding, the simulator keeps frames and sends them again until the server accepts them.

SIGINT and SIGTERM stop the simulator. It exits with code 1 if the server refuses the token of the sensor, or the tokens
of all sensors in a plan.`;

/**
 * Resolves when the parent process disconnects. The listener is registered at the start, so that no disconnect is
 * missed.
 */
const orphaned = new Promise((resolve) => {
  if (process.connected) {
    process.once('disconnect', () => resolve(undefined));
  }
});

try {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean' },
      plan: { type: 'string' },
      curves: { type: 'string' },
      csv: { type: 'string' },
      'time-column': { type: 'string', default: 'timestamp' },
      'value-column': { type: 'string', default: 'value' },
      uid: { type: 'string' },
      token: { type: 'string' },
      channel: { type: 'string', default: '1' },
      speed: { type: 'string', default: 'max' },
      'keep-times': { type: 'boolean', default: false },
      server: { type: 'string', default: 'http://localhost:8080' },
    },
  });
  if (values.plan !== undefined) {
    await runPlan(values.plan, values.curves);
  } else if (values.csv !== undefined) {
    await runReplay({ ...values, csv: values.csv });
  } else {
    console.log(help);
  }
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const expected = error instanceof PlanError || error instanceof SyntaxError || code !== undefined;
  console.error(expected ? `${message.replace(/\.?$/, '.')} See --help.` : error);
  process.exitCode = 1;
}

async function runPlan(file: string, curvesFile: string | undefined): Promise<void> {
  const curves: Curves = curvesFile === undefined ? {} : (await import(pathToFileURL(resolve(curvesFile)).href)).shapes;
  const plan = readPlan(jsonOf(file === '-' ? await text(process.stdin) : readText(file)), curves);
  const plant = startPlant(plan, { log: console.log, curves });
  console.log(`${plan.sensors.length} ${plural(plan.sensors.length, 'sensor has', 'sensors have')} started.`);
  const many = plan.sensors.length > 1;
  const refused = plant.allTokensRefused.then((because) =>
    tokenRefused(many ? 'every sensor' : (plan.sensors[0]?.uid ?? ''), because),
  );
  await Promise.race([askedToEnd(), refused]);
  await plant.stop();
  console.log(total(plant.counts));
  process.exit();
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new PlanError(`The file ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new PlanError(`The plan is not valid JSON: ${(error as Error).message}.`);
  }
}

interface ReplaySettings {
  csv: string;
  'time-column': string;
  'value-column': string;
  uid?: string;
  token?: string;
  channel: string;
  speed: string;
  'keep-times': boolean;
  server: string;
}

async function runReplay(settings: ReplaySettings): Promise<void> {
  const { csv, uid, token, channel, server } = settings;
  const speed = settings.speed === 'max' ? 'max' : Number(settings.speed);
  if (uid === undefined || token === undefined) {
    throw new PlanError('Set --uid and --token to the values of the sensor.');
  }
  if (speed !== 'max' && !(speed > 0)) {
    throw new PlanError('Set --speed to a number above 0, or to max.');
  }
  const columns = { time: settings['time-column'], value: settings['value-column'] };
  const { rows, skipped } = readSeries(readText(csv), columns);
  const timed = settings['keep-times'] && speed === 'max' ? rows : retime(rows, speed, Date.now());
  const address = URL.canParse(server) ? new URL(server) : undefined;
  const protocol = address?.protocol.replace(/s?:$/, '') as Protocol;
  if (address === undefined || !protocols.includes(protocol)) {
    throw new PlanError('Set --server to an address that begins with http:, mqtt: or tcp:.');
  }
  const reasons = new Map<string, number>();
  const tell = logFirstOfEachReason(console.log);
  const client = createClient[protocol]({ uid, token, address, onCommand: () => {} });
  const refused = Promise.withResolvers<void>();
  const replay = startReplay(timed, channel, client, Date.now, (failure) => {
    const { because, badToken } = failure;
    reasons.set(because, (reasons.get(because) ?? 0) + 1);
    tell(uid, failure);
    if (!badToken) return;
    tokenRefused(uid, because);
    refused.resolve();
  });
  const leftOut = skipped > 0 ? `, ${skipped} skipped without a valid time or number` : '';
  console.log(`${rows.length} ${plural(rows.length, 'row')} to send${leftOut}.`);
  let before = zeroCounts();
  const report = setInterval(() => {
    console.log(reportLine(before, replay.counts, 0, reasons));
    before = { ...replay.counts };
    reasons.clear();
  }, 60_000);
  await Promise.race([replay.ended, askedToEnd(), refused.promise]);
  clearInterval(report);
  await replay.stop();
  console.log(total(replay.counts));
  process.exit();
}

/** Reports the refused token and sets the exit code, because retrying would not help. */
function tokenRefused(whose: string, because: string): void {
  console.error(
    `The server refuses the token of ${whose}: ${because}. Use the token that the console showed, or create a new one there.`,
  );
  process.exitCode = 1;
}

/** Resolves on a signal, or when the parent process ends. */
function askedToEnd(): Promise<unknown> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
    void orphaned.then(resolve);
  });
}

function total(counts: Counts): string {
  return `ended: ${reportLine(zeroCounts(), counts, 0, new Map())}`;
}
