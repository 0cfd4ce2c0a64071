/**
 * Completes package-lock.json for platforms other than the one it was written on.
 *
 * npm leaves an optional platform package out of the lockfile when it could not read its manifest, and `npm ci`
 * then refuses the lockfile as out of step. The version is already fixed by the parent's `optionalDependencies`
 * and the platform is in the package's name, so the entry can be written without the manifest. Run it after
 * every change of dependencies: `npm run lockfile`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface LockEntry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}
interface Lockfile {
  packages: Record<string, LockEntry>;
}

const operatingSystems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32'];

/** Reads the platform out of a name such as `@rolldown/binding-linux-x64-musl`; undefined when there is none in it. */
export function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> | undefined {
  const words = name.split(/[/-]/);
  const cpu = processors.find((processor) => words.includes(processor));
  if (cpu === 'wasm32') return { cpu: ['wasm32'] };
  const os = operatingSystems.find((system) => words.includes(system));
  if (!os || !cpu) return undefined;
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : undefined;
  return libc ? { os: [os], cpu: [cpu], libc } : { os: [os], cpu: [cpu] };
}

/** Adds the missing optional packages in place and returns their names. */
export function completeLockfile(lock: Lockfile): string[] {
  const added: string[] = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const candidates = [`${path}/node_modules/${name}`, `node_modules/${name}`];
      if (candidates.some((candidate) => lock.packages[candidate])) continue;
      const platform = platformOf(name);
      if (!platform) continue;
      const complete: LockEntry = { version, ...platform, optional: true };
      if (entry.dev) complete.dev = true;
      lock.packages[`node_modules/${name}`] = complete;
      added.push(name);
    }
  }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  return added;
}

if (import.meta.main) {
  const file = new URL('../package-lock.json', import.meta.url);
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lockfile;
  const added = completeLockfile(lock);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(
    added.length ? `Added ${added.length} platform packages: ${added.join(', ')}` : 'The lockfile is complete.',
  );
}
