/**
 * Measures how many readings per second one, two and three processes on one PostgreSQL server evaluate and store, with
 * 10,000 rules and batch calls. Each device always sends to the same process. The rounds alternate the order of the
 * cases, because the machine's speed varies. Prints one JSON line. Run nothing else at the same time.
 *
 *   BENCH_SECONDS=30 BENCH_ROUNDS=2 node tools/bench/cluster/rates.ts
 */
import { addRules } from '../../../test/harness/device/alarm-plant.ts';
import { portOf, runLoad } from '../run-load.ts';
import { runBenchmark } from './benchmark.ts';
import { processCases, processCounts, ratio, startPlant, startProcesses, stopProcesses } from './processes.ts';

/** Total measuring time of one case in seconds, divided among the rounds. */
const seconds = Number(process.env.BENCH_SECONDS ?? 30);
const rounds = Number(process.env.BENCH_ROUNDS ?? 2);
const WARM_UP_SECONDS = 5;
/** Share of the readings that change the state of a rule. */
const CHANGING = 0.002;

interface Result {
  readingsPerSecond: number[];
  /** 99th percentile of the time until the response to a batch call, in milliseconds. */
  p99Ms: number[];
}

await runBenchmark((60 + rounds * 120 + 3 * seconds) * 1000, async (figures, undo) => {
  const { folder, settings, plant } = await startPlant(undo);
  const rules = await addRules(settings, 100);
  Object.assign(figures, { seconds, rounds, rules, sensors: plant.sensors.length });
  const results: Partial<Record<string, Result>> = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? processCases : processCases.toReversed()) {
      const running = await startProcesses(processCounts[name], settings, undo);
      const http = running.map(({ url }) => portOf(url));
      const load = (howLong: number) =>
        runLoad({
          ...{ folder, plant, http, changing: CHANGING },
          ...{ mode: 'batch', connections: plant.gateways.length, seconds: howLong },
        });
      await load(WARM_UP_SECONDS);
      const { readingsPerSecond, p99Ms, failed } = await load(seconds / rounds);
      if (failed > 0) throw new Error(`${failed} calls failed.`);
      const result = results[name] ?? { readingsPerSecond: [], p99Ms: [] };
      results[name] = result;
      result.readingsPerSecond.push(readingsPerSecond);
      result.p99Ms.push(p99Ms);
      Object.assign(figures, results);
      await stopProcesses(running);
    }
  }
  const rates = (name: string) => results[name]?.readingsPerSecond;
  figures.twoToOne = ratio(rates('two'), rates('one'));
  figures.threeToOne = ratio(rates('three'), rates('one'));
});
