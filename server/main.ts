import { existsSync } from 'node:fs';
import { demoSignIns } from '../db/demo/index.ts';
import { startApp } from './app.ts';
import { runCommand } from './cli/command.ts';
import { progressBar } from './cli/progress.ts';
import { readConfig } from './config.ts';

await runCommand(async () => {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = readConfig(process.env);
  const bar = progressBar('Making the demo plant');
  const app = await startApp({ config, onDemoProgress: bar });

  console.log(`Tocsin ready: ${app.url}`);
  if (config.demo) {
    console.log(`Demo sign-ins, all with the password ${demoSignIns.password}:`);
    for (const { email, role } of demoSignIns.people) console.log(`  ${email.padEnd(24)} ${role}`);
  }

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    console.log(`${signal}: finishing what is under way…`);
    await app.close();
    console.log('Tocsin stopped.');
    process.exit(0);
  };
  process.on('SIGINT', () => void stop('Stopping'));
  process.on('SIGTERM', () => void stop('Stopping'));
});
