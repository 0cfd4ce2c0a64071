/**
 * Builds an image from a Dockerfile and runs it. Needs neither a container service nor a registry: the base image is
 * made from programs on this machine.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ensureDebianPackage, type Found, findBinary } from './debian.ts';

const run = promisify(execFile);

const BUILDAH = { binaries: ['buildah'], package: 'buildah' };
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
/** Programs that npm and the packages' scripts call. */
const PROGRAMS = ['/bin/sh', '/usr/bin/env', '/bin/uname', '/bin/mkdir', '/bin/cp', '/bin/ln', '/bin/rm'];

/**
 * Libraries that native npm packages may load. They belong to the C library's package, but none of these programs loads
 * them.
 */
const LIBC = ['librt.so.1', 'libresolv.so.2'];

export async function ensureBuildah(): Promise<Found> {
  const found = await ensureDebianPackage(BUILDAH);
  if ('missing' in found || process.getuid?.() === 0) return found;
  return { missing: 'The test of the image is skipped: it needs root.' };
}

export class ContainerEngine {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tocsin-containers-'));

  /** Makes an image that contains Node, npm and a user `node`, like the official Node images. */
  async makeNodeImage(name: string, node: string): Promise<void> {
    const root = join(this.#folder, 'base');
    for (const folder of ['bin', 'usr/bin', 'etc', 'tmp', 'root', 'home/node', 'proc', 'dev', 'sys']) {
      mkdirSync(join(root, folder), { recursive: true });
    }
    chmodSync(join(root, 'tmp'), 0o1777);
    for (const program of [...PROGRAMS, node]) {
      const place = program === node ? '/usr/bin/node' : program;
      cpSync(realpathSync(program), join(root, place));
      for (const library of await librariesOf(program)) {
        copyFollowing(library, join(root, library));
        // Native npm packages load further libraries that belong to the C library's package.
        if (basename(library) !== 'libc.so.6') continue;
        for (const name of LIBC) copyFollowing(join(dirname(library), name), join(root, dirname(library), name));
      }
    }
    const npm = realpathSync(findBinary(['npm']) ?? '');
    cpSync(dirname(dirname(npm)), join(root, 'usr/lib/node_modules/npm'), { recursive: true, dereference: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'));
    writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n');
    writeFileSync(join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
    // The build downloads packages. It trusts the certificates that this machine trusts.
    if (existsSync(CERTIFICATES)) copyFollowing(CERTIFICATES, join(root, CERTIFICATES));
    const container = await this.#buildah('from', 'scratch');
    await this.#buildah('copy', container, root, '/');
    const trust = existsSync(CERTIFICATES) ? ['--env', `NODE_EXTRA_CA_CERTS=${CERTIFICATES}`] : [];
    await this.#buildah('config', '--env', 'PATH=/usr/bin:/bin', ...trust, container);
    await this.#buildah('commit', '--rm', container, name);
    rmSync(root, { recursive: true });
  }

  /** Builds the Dockerfile in this folder. The build uses only local base images and shares this machine's network. */
  async build(context: string, name: string): Promise<void> {
    await this.#buildah('build', '--isolation=chroot', '--network=host', '--pull-never', '--tag', name, context);
  }

  /** Runs the image's command as the image's user. The container shares this machine's network. */
  async start(image: string, environment: Record<string, string>): Promise<ChildProcess> {
    const container = await this.#buildah('from', '--pull-never', image);
    const { config } = JSON.parse(await this.#buildah('inspect', container)).OCIv1;
    const variables = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    const isolation = [
      '--isolation=chroot',
      '--network=host',
      '--user',
      config.User,
      '--workingdir',
      config.WorkingDir,
    ];
    return spawn('buildah', [...this.#storage, 'run', ...isolation, ...variables, container, '--', ...config.Cmd], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #storage(): string[] {
    const [root, runroot] = [join(this.#folder, 'storage'), join(this.#folder, 'run')];
    return ['--root', root, '--runroot', runroot, '--storage-driver', 'vfs'];
  }

  async #buildah(...args: string[]): Promise<string> {
    const { stdout } = await run('buildah', [...this.#storage, ...args], { maxBuffer: 64 * 2 ** 20, timeout: 900_000 });
    return stdout.trim();
  }
}

/** Returns the paths of the shared libraries that a program loads. */
async function librariesOf(program: string): Promise<string[]> {
  const { stdout } = await run('ldd', [program]);
  return stdout.match(/\/\S+/g) ?? [];
}

function copyFollowing(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(realpathSync(from), to);
}
