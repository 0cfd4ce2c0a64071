import { statfs } from 'node:fs/promises';

/**
 * Limits for free disk space, as a share of the disk and in bytes. A system alarm opens when the free space is below
 * both limits.
 */
const LEAST_SHARE = 0.05;
const LEAST_BYTES = 5 * 1024 ** 3;

/** Describes the problem if the disk of a folder is nearly full; undefined if it has enough free space. */
export async function diskProblem(folder: string): Promise<string | undefined> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return spaceProblem({ folder, free: bavail * bsize, size: blocks * bsize });
}

export function spaceProblem({
  folder,
  free,
  size,
}: {
  folder: string;
  free: number;
  size: number;
}): string | undefined {
  if (free >= Math.min(size * LEAST_SHARE, LEAST_BYTES)) return undefined;
  const megabytes = Math.floor(free / 1024 ** 2);
  return `The disk of ${folder} has only ${megabytes} MB left. Delete files or enlarge the disk before it is full.`;
}
