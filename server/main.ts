import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand } from './cli/command.ts';
import { progressBar } from './cli/progress.ts';
import { databaseOf, readConfig } from './config.ts';
import { createLog } from './platform/log.ts';
import { openDatabase } from './platform/open-database.ts';
import { ProductClock } from './platform/product-clock.ts';

// Caches compiled code on disk, so that later starts are faster.
enableCompileCache();

/** Maximum time for a clean stop. Service managers usually wait at least ten seconds before they kill a process. */
const STOP_MS = 9000;

await runCommand(async () => {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const clock = new ProductClock();
  const terminal = Boolean(process.stdout.isTTY);
  const format = config.logFormat ?? (config.demo || terminal ? 'text' : 'json');
  const log = createLog({ format, colors: terminal });
  // In JSON format, every line must be JSON, because a log collector reads it.
  const say = format === 'json' ? (text: string) => log.info(text) : (text: string) => console.log(text);
  // Starts to open the database while the rest of the program loads. Together they take most of the start time.
  const opening = openDatabase({
    ...databaseOf(config),
    log,
    clock,
  });
  const [database, { startApp }] = await Promise.all([
    opening,
    import('./app.ts'),
    config.roles.includes('web') ? import('./http/console-routes.ts') : undefined,
  ]);
  const app = await startApp({
    ...{ config, clock, log, database },
    onDemoProgress: progressBar('Creating the demo plant'),
    onBrokenBySchema: (problem) => {
      log.error(problem);
      void stop(1);
    },
  });

  say(`Tocsin ready: ${app.url}`);
  if (app.gateway) {
    const { mqttPort, tcpPort } = app.gateway;
    const mqtt = mqttPort
      ? `${config.mqttTls ? 'mqtts' : 'mqtt'}://localhost:${mqttPort}`
      : 'MQTT through the configured broker';
    say(`Devices: ${app.url}/api/v1/ingest, ${mqtt}, tcp://localhost:${tcpPort}`);
  }
  if (config.demo) {
    const { demoSignIns } = await import('../db/demo/index.ts');
    say(`Demo sign-ins, all with the password ${demoSignIns.password}:`);
    for (const { email, role } of demoSignIns.people) say(`  ${email.padEnd(24)} ${role}`);
  }

  const drained = new AbortController();
  let stopping = false;
  async function stop(code = 0): Promise<void> {
    // A second stop signal ends the drain early.
    if (stopping) return drained.abort();
    stopping = true;
    app.heartbeat.drain();
    if (config.drainSeconds > 0) {
      say(`Draining for ${config.drainSeconds} s: not ready, but still serving requests…`);
      await pause(config.drainSeconds * 1000, undefined, { signal: drained.signal }).catch(() => {});
    }
    say('Stopping: finishing current work…');
    setTimeout(() => {
      log.warn('Tocsin stopped before all work was finished. All confirmed data is stored.');
      process.exit(code);
    }, STOP_MS).unref();
    await app.close();
    say('Tocsin stopped.');
    process.exit(code);
  }
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());
});
