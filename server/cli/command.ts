import { StartError } from '../platform/start-error.ts';

/**
 * Runs a command. If the command fails, prints the error and exits with code 1. For an error that the administrator can
 * fix, prints only the message.
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
