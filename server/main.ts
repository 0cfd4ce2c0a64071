import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { runCommand } from './cli/command.ts';
import { progressBar } from './cli/progress.ts';
import { databaseOf, readConfig } from './config.ts';
import { consoleLog } from './platform/log.ts';
import { openDatabase } from './platform/open-database.ts';
import { ProductClock } from './platform/product-clock.ts';

// What was compiled at an earlier start need not be compiled again.
enableCompileCache();

/** Service managers kill a process that does not end; ten seconds are the usual shortest time they give. */
const STOP_MS = 9000;

await runCommand(async () => {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const clock = new ProductClock();
  // The database opens while the rest of the program is still being read: together they are most of a start.
  const opening = openDatabase({
    ...databaseOf(config),
    log: consoleLog,
    clock,
  });
  const [database, { startApp }] = await Promise.all([
    opening,
    import('./app.ts'),
    config.roles.includes('web') ? import('./web.ts') : undefined,
  ]);
  const app = await startApp({ config, clock, database, onDemoProgress: progressBar('Making the demo plant') });

  console.log(`Tocsin ready: ${app.url}`);
  if (app.gateway) {
    const { mqttPort, tcpPort } = app.gateway;
    const mqtt = mqttPort
      ? `${config.mqttTls ? 'mqtts' : 'mqtt'}://localhost:${mqttPort}`
      : 'MQTT by the broker that was set';
    console.log(`Devices: ${app.url}/api/v1/ingest, ${mqtt}, tcp://localhost:${tcpPort}`);
  }
  if (config.demo) {
    const { demoSignIns } = await import('../db/demo/index.ts');
    console.log(`Demo sign-ins, all with the password ${demoSignIns.password}:`);
    for (const { email, role } of demoSignIns.people) console.log(`  ${email.padEnd(24)} ${role}`);
  }

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    console.log('Stopping: finishing what is under way…');
    setTimeout(() => {
      console.error('Tocsin stopped without finishing everything. Nothing that was answered is lost.');
      process.exit(0);
    }, STOP_MS).unref();
    await app.close();
    console.log('Tocsin stopped.');
    process.exit(0);
  };
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());
});
