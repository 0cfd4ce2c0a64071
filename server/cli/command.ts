import { StartError } from '../platform/start-error.ts';

/** Runs a command. Prints an error that the administrator can fix as one line on standard error, with exit code 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof StartError) console.error(error.message);
    else console.error('Internal error in Tocsin:', error);
    process.exit(1);
  }
}
