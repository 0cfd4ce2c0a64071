/**
 * Completes package-lock.json for all platforms, and checks that every entry has an integrity hash. Run it after every
 * change to the dependencies: `npm run lockfile`.
 *
 * npm leaves an optional platform package out of the lockfile if it could not read the package's manifest. `npm ci`
 * then refuses the lockfile. The version comes from the parent's `optionalDependencies`, the platform from the
 * package's name, and the hash from the registry. If the registry does not have the package, choose another version of
 * the parent.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

interface LockEntry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  resolved?: string;
  integrity?: string;
  link?: boolean;
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

/** Returns the platform in a package name such as `@rolldown/binding-linux-x64-musl`, or undefined. */
export function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> | undefined {
  const words = name.split(/[/-]/);
  const cpu = processors.find((processor) => words.includes(processor));
  if (cpu === 'wasm32') return { cpu: ['wasm32'] };
  const os = operatingSystems.find((system) => words.includes(system));
  if (!os || !cpu) return undefined;
  const libc = words.some((word) => word.startsWith('musl')) ? ['musl'] : undefined;
  return libc ? { os: [os], cpu: [cpu], libc } : { os: [os], cpu: [cpu] };
}

/** Adds the missing optional packages to `lock` and returns their names. */
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

/** Returns the paths of packages without an integrity hash, which `npm ci` would install unchecked. */
export function withoutIntegrity({ packages }: Lockfile): string[] {
  return Object.entries(packages)
    .filter(([path, entry]) => path !== '' && !entry.link && !entry.integrity)
    .map(([path]) => path);
}

function integrityOf(name: string, version: string): string | undefined {
  try {
    const args = ['view', `${name}@${version}`, 'dist.integrity'];
    return execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() || undefined;
  } catch {
    return undefined;
  }
}

if (import.meta.main) {
  const file = new URL('../package-lock.json', import.meta.url);
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lockfile;
  const added = completeLockfile(lock);
  for (const path of withoutIntegrity(lock)) {
    const entry = lock.packages[path] as LockEntry;
    const integrity = integrityOf(path.replace(/^.*node_modules\//, ''), entry.version ?? '');
    if (integrity) entry.integrity = integrity;
  }
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  if (added.length > 0) console.log(`Added ${added.length} platform packages: ${added.join(', ')}`);
  const unchecked = withoutIntegrity(lock);
  if (unchecked.length > 0) {
    console.error(
      `The registry has no integrity hash for ${unchecked.join(', ')}. Choose a version of the parent package whose platform packages are all in the registry.`,
    );
    process.exit(1);
  }
  console.log('The lockfile is complete.');
}
