import { StartError } from '../platform/start-error.ts';

/**
 * Runs a command. If the command fails, prints the error and exits with code 1. If the administrator can fix the error,
 * prints only its message, without a stack trace.
 */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof StartError) console.error(error.message);
    else console.error('Internal error in Tocsin:', error);
    process.exit(1);
  }
}
