/** A test file with failures, and how many of its tests failed. */
export interface FailedFile {
  name: string;
  tests: number;
}

export interface SecondRun {
  /** Failed tests that now count as passed. */
  recovered: number;
  /** One sentence for each file that passed alone. */
  notes: string[];
}

/** Above this number of failed files the cause is not a busy machine, so nothing runs a second time. */
const MAX_FILES = 5;

/** Paths in the list of known flaky tests: one a line, `#` starts a comment. */
export function readKnownFlaky(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter(Boolean);
}

/** Runs each failed file alone. A file that passes then counts as passed only if it is listed as flaky. */
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
      outcome.notes.push(`Known flaky: ${file.name} failed beside the other tests and passed alone.`);
    } else {
      outcome.notes.push(
        `Flaky: ${file.name} failed beside the other tests and passed alone. Fix it, or list it in test/known-flaky.txt with the reason.`,
      );
    }
  }
  return outcome;
}
