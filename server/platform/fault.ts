/** Name of the step at which this process kills itself in a crash test. Ignored outside tests. */
const deadly = process.env.NODE_ENV === 'test' ? process.env.TOCSIN_DIE_AT : undefined;

/** Marks a step at which a crash must not lose data. A test can make the process kill itself here, as kill -9 does. */
export function dieAt(step: string): void {
  if (step === deadly) process.kill(process.pid, 'SIGKILL');
}
