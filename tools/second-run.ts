/** A test file with failures and the number of failed tests in it. */
export interface FailedFile {
  name: string;
  tests: number;
}

export interface SecondRun {
  /** Number of tests that failed in the first run but count as passed after the second run. */
  recovered: number;
  /** One sentence for each file that passed in the second run. */
  notes: string[];
}

/** If more files than this fail, there is no second run, because a busy machine is unlikely to be the cause. */
const MAX_FILES = 5;

/** Returns the paths in the list of known flaky tests. Each line has one path, and `#` starts a comment. */
export function readKnownFlaky(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter(Boolean);
}

/**
 * Runs each failed file again, alone. If a file passes, its failed tests count as passed only if the file is listed as
 * flaky.
 */
export async function runFailedAlone<File extends FailedFile>(
  files: readonly File[],
  knownFlaky: readonly string[],
  passesAlone: (file: File) => Promise<boolean>,
): Promise<SecondRun> {
  const outcome: SecondRun = { recovered: 0, notes: [] };
  if (files.length > MAX_FILES) return outcome;
  for (const file of files) {
    if (!(await passesAlone(file))) continue;
    if (knownFlaky.includes(file.name)) {
      outcome.recovered += file.tests;
      outcome.notes.push(`Known flaky: ${file.name} failed together with the other tests but passed alone.`);
    } else {
      outcome.notes.push(
        `Flaky: ${file.name} failed together with the other tests but passed alone. Fix it, or list it in test/known-flaky.txt with the reason.`,
      );
    }
  }
  return outcome;
}
