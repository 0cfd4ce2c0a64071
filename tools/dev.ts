/**
 * Runs the server on PORT (8080) and the console on port 5173, both with automatic reload. The console's server
 * forwards API calls to the server.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const port = process.env.PORT ?? '8080';
const env = { ...process.env, NODE_ENV: 'development', PORT: port };
const children = [
  spawn('node', ['--watch-path=server', '--watch-path=domain', '--watch-path=db', 'server/main.ts'], {
    cwd: root,
    env,
    stdio: 'inherit',
  }),
  spawn('vite', ['--config', 'vite.config.ts'], { cwd: root, env, stdio: 'inherit' }),
];
const stop = () => {
  for (const child of children) child.kill('SIGINT');
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
for (const child of children) child.on('exit', stop);
