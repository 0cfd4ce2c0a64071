/**
 * Runs two processes, HAProxy, and PostgreSQL with a synchronous standby. Devices send over HTTP, MQTT and TCP.
 * Measures the time from `kill -9` of a process until all its devices receive responses again. Also measures the time
 * from `kill -9` of the primary until the first device receives a response again, and until all devices do. Prints one
 * JSON line. Run nothing else at the same time.
 *
 *   BENCH_ROUNDS=3 node tools/bench/cluster/kills.ts
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createCustomer, serviceQuery } from '../../../test/harness/database/factories.ts';
import { missing } from '../../../test/harness/database/stored-readings.ts';
import { onDatabase } from '../../../test/harness/device/alarm-plant.ts';
import { createSensor } from '../../../test/harness/device/devices.ts';
import { type SteadyDevice, startSteadyDevice, steadyProtocols } from '../../../test/harness/device/steady-device.ts';
import { ensureHaproxy } from '../../../test/harness/machine/haproxy.ts';
import { Cluster } from '../../cluster/cluster.ts';
import { quantile } from '../quantile.ts';
import { runBenchmark, until } from './benchmark.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const DEVICES = 24;
const PAUSE_MS = 100;
/** Duration of the load before each kill. HAProxy needs a second to detect a process that has started again. */
const STEADY_MS = 3000;
/** Responses that were already on their way when the process or server was killed arrive within this time. */
const IN_FLIGHT_MS = { process: 50, primary: 200 };
/**
 * Time limit for the repair after a kill. The cluster waits 10 s before it restarts a process or rebuilds a database
 * server as the standby.
 */
const REPAIR_LIMIT_MS = 120_000;

const newestAnswer = ({ answered }: SteadyDevice) => answered.at(-1)?.at ?? 0;

/**
 * Waits until every device has received a response after `moment`. Returns the time of each device's first response.
 */
async function answersAfter(devices: readonly SteadyDevice[], moment: number): Promise<number[]> {
  await until('an answer to each device', () => devices.every((device) => newestAnswer(device) > moment));
  return devices.map(({ answered }) => answered.find(({ at }) => at > moment)?.at as number);
}

/** Returns the process that serves each sensor, keyed by the uid of the sensor. */
async function servingProcesses({ databaseUrl }: Cluster): Promise<Map<string, string>> {
  const rows = await onDatabase({ DATABASE_URL: databaseUrl }, (db) =>
    serviceQuery<{ uid: string; process: string }>(
      db,
      `select s.uid, t.process from tocsin_private.sensor_takeover t
       join tocsin.sensor s on s.uuid = t.tocsin_sensor_uuid`,
    ),
  );
  return new Map(rows.map(({ uid, process }) => [uid, process]));
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.ok ?? false;
}

/** Waits until all processes are ready and the standby is complete. */
async function untilRepaired({ failover, processes }: Cluster): Promise<void> {
  const ready = () => Promise.all(processes.map((process) => isReady(process.ports.web)));
  const repaired = async () => failover.standbyIsComplete && (await ready()).every(Boolean);
  await until('the repair of the cluster', repaired, { everyMs: 100, limitMs: REPAIR_LIMIT_MS });
  await pause(STEADY_MS);
}

/**
 * Kills a process. Returns how long its devices waited. Consecutive rounds kill different processes, because most
 * devices are connected to the process that survived the previous round.
 */
async function killProcess(cluster: Cluster, devices: readonly SteadyDevice[], round: number) {
  await untilRepaired(cluster);
  const before = await servingProcesses(cluster);
  const { child } = cluster.processes[round % cluster.processes.length] ?? {};
  const killed = performance.now();
  child?.signal('SIGKILL');
  await child?.exited;
  const answers = await answersAfter(devices, killed + IN_FLIGHT_MS.process);
  const after = await servingProcesses(cluster);
  const own = answers.filter((_, index) => {
    const uid = devices[index]?.sensor.uid ?? '';
    return before.get(uid) !== after.get(uid);
  });
  if (own.length === 0) throw new Error('The killed process served no device.');
  return { devices: own.length, allAnsweredMs: Math.round(Math.max(...own) - killed) };
}

/** Kills the primary. Returns how long the devices waited. */
async function killPrimary(cluster: Cluster, devices: readonly SteadyDevice[]) {
  await untilRepaired(cluster);
  const killed = performance.now();
  await cluster.pair.kill(cluster.failover.primary);
  const answers = await answersAfter(devices, performance.now() + IN_FLIGHT_MS.primary);
  return {
    firstAnswerMs: Math.round(Math.min(...answers) - killed),
    allAnsweredMs: Math.round(Math.max(...answers) - killed),
  };
}

/** Repeats a measurement. Returns all results, with the median and the maximum of `name`. */
async function repeat<N extends string>(name: N, measure: (round: number) => Promise<Record<N, number>>) {
  const all: Record<N, number>[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await measure(round));
  const values = all.map((one) => one[name]);
  return { [name]: { median: quantile(values, 0.5), most: Math.max(...values) }, rounds: all };
}

await runBenchmark((120 + rounds * 120) * 1000, async (figures, undo) => {
  const found = await ensureHaproxy();
  if ('missing' in found) throw new Error(found.missing);
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'));
  undo.push(() => rmSync(folder, { recursive: true, force: true }));
  const cluster = new Cluster({ folder, demo: false, repair: true, processes: 2, say: () => {} });
  undo.push(() => cluster.stop());
  await cluster.start();
  const settings = { DATABASE_URL: cluster.databaseUrl };
  const sensors = await onDatabase(settings, async (db) => {
    const customer = await createCustomer(db);
    return Promise.all(Array.from({ length: DEVICES }, () => createSensor(db, { customer })));
  });
  const { ports } = cluster.balancer;
  const devices = sensors.map((sensor, index) => {
    const protocol = steadyProtocols[index % steadyProtocols.length] as SteadyDevice['protocol'];
    return startSteadyDevice({ ports, sensor, protocol, pauseMs: PAUSE_MS });
  });
  const stopDevices = () => Promise.all(devices.map((device) => device.stop()));
  undo.push(stopDevices);
  await answersAfter(devices, performance.now());

  Object.assign(figures, { rounds, processes: 2, devices: DEVICES, target: 'no answered reading is missing' });
  figures.process = await repeat('allAnsweredMs', (round) => killProcess(cluster, devices, round));
  figures.primary = await repeat('firstAnswerMs', () => killPrimary(cluster, devices));
  await stopDevices();
  const answered = devices.flatMap(({ sensor, answered }) => answered.map(({ time }) => ({ uid: sensor.uid, time })));
  const lost = await onDatabase(settings, (db) => missing(db, answered));
  figures.readings = { answered: answered.length, missing: lost.length };
});
