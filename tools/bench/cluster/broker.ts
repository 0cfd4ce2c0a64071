/**
 * Two processes receive from one Mosquitto broker. Measures the time from `kill -9` of the lease holder until the other
 * process has stored every reading that the broker acknowledged. Prints one JSON line. Run nothing else at the same
 * time.
 *
 *   BENCH_ROUNDS=5 node tools/bench/cluster/broker.ts
 */
import { setTimeout as pause } from 'node:timers/promises';
import { missing, storedReadings } from '../../../test/harness/database/stored-readings.ts';
import { onDatabase } from '../../../test/harness/device/alarm-plant.ts';
import { holderAmong, Publishers } from '../../../test/harness/device/broker-plant.ts';
import { ensureMosquitto, startMosquitto } from '../../../test/harness/device/mosquitto.ts';
import { quantile } from '../quantile.ts';
import { runBenchmark, until } from './benchmark.ts';
import { startBenchProcess, startPlant, startProcesses } from './processes.ts';

const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const SENSORS = 20;
const EVERY_MS = 50;
/** Duration of the load before each kill. */
const STEADY_MS = 2000;
/** The other process must store all readings that the broker acknowledges up to this time after the kill. */
const ACKNOWLEDGED_MS = 500;
/** Pause between two queries for stored readings. The measured time can be too long by up to this pause. */
const POLL_MS = 100;

await runBenchmark((90 + rounds * 60) * 1000, async (figures, undo) => {
  const found = await ensureMosquitto();
  if ('missing' in found) throw new Error(found.missing);
  const { settings, plant } = await startPlant(undo);
  const sensors = plant.sensors.slice(0, SENSORS);
  // The broker queues messages without a limit while no process is connected (docs/operating.md).
  const broker = await startMosquitto({ settings: ['max_queued_messages 0', 'max_inflight_messages 0'] });
  undo.push(() => broker.dispose());
  const withBroker = { ...settings, TOCSIN_MQTT_URL: broker.url };
  const running = await startProcesses(2, withBroker, undo);
  const leaseHolder = () => until('a lease holder', () => holderAmong(running));
  await leaseHolder();
  const publishers = new Publishers();
  undo.push(() => publishers.stop());
  await publishers.start(sensors, () => ({ url: broker.url }), { everyMs: EVERY_MS });

  await onDatabase(settings, async (db) => {
    const took: number[] = [];
    Object.assign(figures, { rounds, sensors: SENSORS, target: 'every acknowledged reading stored once' });
    for (let round = 0; round < rounds; round += 1) {
      const since = Date.now();
      await pause(STEADY_MS);
      const holder = await leaseHolder();
      const killed = performance.now();
      await holder.stop('SIGKILL');
      await pause(Math.max(0, killed + ACKNOWLEDGED_MS - performance.now()));
      const acknowledged = publishers.acknowledged.filter(({ time }) => time >= since);
      const stored = async () => (await missing(db, acknowledged, since)).length === 0;
      await until('every acknowledged reading', stored, { everyMs: POLL_MS });
      took.push(Math.round(performance.now() - killed));
      figures.killToStoredMs = { rounds: took, median: quantile(took, 0.5), most: Math.max(...took) };
      running[running.indexOf(holder)] = await startBenchProcess(withBroker);
    }
    const { sent } = publishers;
    await publishers.stop();
    const all = publishers.acknowledged;
    figures.readings = { sent: sent.length, acknowledged: all.length };
    await until('every acknowledged reading', async () => (await missing(db, all)).length === 0);
    figures.storedMoreThanOnce = [...(await storedReadings(db))].filter(([, count]) => count > 1).length;
  });
});
