/**
 * Simulates the devices of the demo plant and sends their frames to a running installation, for example to several
 * processes behind a balancer.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { databaseOf, readConfig } from '../config.ts';
import { startDemoDevices } from '../demo/devices.ts';
import { systemClock } from '../platform/clock.ts';
import { consoleLog } from '../platform/log.ts';
import { openDatabase } from '../platform/open-database.ts';
import { StartError } from '../platform/start-error.ts';
import { runCommand } from './command.ts';

const usage =
  'Usage: node server/cli/demo-devices.ts --http http://localhost:8080 --mqtt mqtt://localhost:1883 --tcp tcp://localhost:5055';

await runCommand(async () => {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const { http, mqtt, tcp } = readAddresses();
  const db = await openDatabase({ ...databaseOf(config), log: consoleLog });
  const valuesPerSecond = config.demoValuesPerSecond;
  const devices = await startDemoDevices({
    ...{ db, clock: systemClock, log: consoleLog, valuesPerSecond },
    ...{ http, mqtt, tcp },
  });
  const stop = async () => {
    await devices.stop();
    await db.close();
    process.exit(0);
  };
  process.once('SIGINT', () => void stop());
  process.once('SIGTERM', () => void stop());
});

function readAddresses(): { http: string; mqtt: string | undefined; tcp: string | undefined } {
  const text = { type: 'string' } as const;
  try {
    const { http, mqtt, tcp } = parseArgs({ options: { http: text, mqtt: text, tcp: text } }).values;
    if (http) return { http, mqtt, tcp };
  } catch (error) {
    throw new StartError(`${(error as Error).message}. ${usage}`);
  }
  throw new StartError(`--http is missing. ${usage}`);
}
