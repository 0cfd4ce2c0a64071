/**
 * Measures latencies under a load of 2,000 readings per second, with one, two and three processes on one PostgreSQL
 * server: from a reading to the stored alarm and to the mail server, and from a reading at one process to an open page
 * that another process serves. With one process, the same process does both. Prints one JSON line. Run nothing else at
 * the same time.
 *
 *   BENCH_SECONDS=20 node tools/bench/cluster/latency.ts
 */
import { addAlarmPlant, addRules } from '../../../test/harness/device/alarm-plant.ts';
import { startSmtpCatcher } from '../../../test/harness/provider/smtp.ts';
import { alarmLatency } from '../alarm-latency.ts';
import { liveLatency } from '../live-latency.ts';
import { portOf, runLoad } from '../run-load.ts';
import { runBenchmark } from './benchmark.ts';
import { processCases, processCounts, startPlant, startProcesses, stopProcesses } from './processes.ts';

/** Duration of each measurement, in seconds. */
const seconds = Number(process.env.BENCH_SECONDS ?? 20);
/** Duration of the warm-up, during which the server looks up every sensor on its first frame. */
const WARM_UP_SECONDS = 6;
/** Each frame has ten readings. */
const FRAMES_PER_SECOND = 200;
const CONNECTIONS = 100;

await runBenchmark((240 + 6 * seconds) * 1000, async (figures, undo) => {
  const smtp = await startSmtpCatcher();
  undo.push(() => smtp.stop());
  const { folder, settings, plant } = await startPlant(undo);
  const rules = await addRules(settings, 100);
  const { probe } = await addAlarmPlant(settings);
  const target = 'reading to page p99 under 500 ms';
  Object.assign(figures, { seconds, rules, sensors: plant.sensors.length, target });
  for (const name of processCases) {
    const running = await startProcesses(processCounts[name], { ...settings, SMTP_URL: smtp.url }, undo);
    const http = running.map(({ url }) => portOf(url));
    const load = (howLong: number) =>
      runLoad({
        ...{ folder, plant, http, mode: 'frame', seconds: howLong },
        ...{ connections: Math.min(CONNECTIONS, plant.sensors.length), rate: FRAMES_PER_SECOND },
      });
    await load(WARM_UP_SECONDS);
    const [url, deviceUrl] = [running[0]?.url as string, running.at(-1)?.url as string];
    const alarm = await alarmLatency({ url, probe, smtp, seconds, load });
    figures[name] = { alarm, page: await liveLatency({ url, deviceUrl, plant, seconds, load }) };
    await stopProcesses(running);
  }
});
