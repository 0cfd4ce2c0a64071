/** Starts programs for tests and for `npm run cluster`. A program ends with the process that started it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';

/**
 * Shell script that runs a program until the parent process closes the pipe or dies, and then sends the signal in $0 to
 * the program. It reports the pid of the program, because tests must kill the program and not the shell.
 */
const ENDS_WITH_ITS_PARENT = `
  exec 4<&0
  "$@" < /dev/null 3>&- 4<&- &
  program=$!
  echo $program >&3
  exec 3>&-
  { cat <&4 > /dev/null; kill -s "$0" $program; } 2> /dev/null &
  wait $program`;

const STOP_MS = 15_000;

export interface ChildOptions {
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  user?: { uid: number; gid: number } | undefined;
  /** File for the output of the program. A pipe could fill up and block the program. */
  logFile: string;
  stopSignal: 'TERM' | 'INT' | 'QUIT' | 'USR1';
}

export interface Child {
  readonly pid: number;
  readonly running: boolean;
  readonly exited: Promise<void>;
  output(): string;
  signal(signal: NodeJS.Signals): void;
  /** Stops the program and waits until it has ended. Kills the program if it does not end in time. */
  stop(): Promise<void>;
}

export async function startChild(options: ChildOptions): Promise<Child> {
  const { command, args, env, cwd = '/', user, logFile, stopSignal } = options;
  const log = openSync(logFile, 'a', 0o644);
  const shell = spawn('sh', ['-c', ENDS_WITH_ITS_PARENT, stopSignal, command, ...args], {
    ...user,
    cwd,
    env,
    // The program gets its own process group. Otherwise, Ctrl+C would send SIGINT to the program too.
    detached: true,
    stdio: ['pipe', log, log, 'pipe'],
  });
  closeSync(log);
  const exited = once(shell, 'exit').then(() => {
    shell.stdin?.destroy();
  });
  shell.stdin?.on('error', () => {});
  const [line] = (await Promise.race([
    once(shell.stdio[3] as Readable, 'data'),
    exited.then(() => {
      throw new Error(`${command} could not be started: ${readFileSync(logFile, 'utf8')}`);
    }),
  ])) as [Buffer];
  const pid = Number(line.toString());
  const isRunning = () => shell.exitCode === null && shell.signalCode === null;
  const signal = (name: NodeJS.Signals) => {
    if (!isRunning()) return;
    try {
      process.kill(pid, name);
    } catch {
      // The program ended after the check above, so it needs no signal.
    }
  };
  return {
    pid,
    get running() {
      return isRunning();
    },
    exited,
    output: () => readFileSync(logFile, 'utf8'),
    signal,
    async stop() {
      const killing = setTimeout(() => signal('SIGKILL'), STOP_MS);
      // Resumes a program that is suspended by SIGSTOP, because it otherwise could not shut down.
      signal('SIGCONT');
      shell.stdin?.destroy();
      await exited;
      clearTimeout(killing);
    },
  };
}

/** Kills a program and all its children at once, as a power failure does. */
export async function killWithChildren(child: Child): Promise<void> {
  if (!child.running) return;
  // Suspends the program first, so that it cannot replace children while they are killed.
  child.signal('SIGSTOP');
  const children = childrenOf(child.pid);
  child.signal('SIGKILL');
  killAll(children);
  await child.exited;
}

/** Kills the direct children of a process, but not their descendants. */
export function killChildren(parent: number): void {
  killAll(childrenOf(parent));
}

function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        // The file contains the program's name in parentheses. The name may contain spaces.
        return Number(/.*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]) === pid;
      } catch {
        return false;
      }
    })
    .map(Number);
}
