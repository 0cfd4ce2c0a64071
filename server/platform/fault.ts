/** The step at which a test wants this process to be killed. Nothing else can ask for it. */
const deadly = process.env.NODE_ENV === 'test' ? process.env.TOCSIN_DIE_AT : undefined;

/** A step between which and the next one a process may die, as by kill -9. A test kills at each of them. */
export function dieAt(step: string): void {
  if (step === deadly) process.kill(process.pid, 'SIGKILL');
}
