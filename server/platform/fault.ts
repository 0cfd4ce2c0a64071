/** Step at which this process kills itself in a crash test. The step can be set only in tests. */
const deadly = process.env.NODE_ENV === 'test' ? process.env.TOCSIN_DIE_AT : undefined;

/** Marks a step at which a crash must not lose data. Tests kill the process at this step, as kill -9 does. */
export function dieAt(step: string): void {
  if (step === deadly) process.kill(process.pid, 'SIGKILL');
}
