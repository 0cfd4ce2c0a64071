/**
 * Builds the console into dist/console if its sources have changed. Also stores compressed copies of the files, so that
 * the server does not compress them itself.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const root = join(import.meta.dirname, '..');
const output = join(root, 'dist/console');
const stamp = join(output, '.sources');

function fingerprint(): string {
  const hash = createHash('sha256');
  const files = globSync(['web/**/*', 'domain/**/*.ts', 'vite.config.ts', 'package-lock.json'], {
    cwd: root,
    withFileTypes: true,
  })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function compress(): void {
  for (const file of globSync('**/*.{js,css,html,svg,json,webmanifest}', { cwd: output })) {
    const path = join(output, file);
    const content = readFileSync(path);
    if (content.length < 1024) continue;
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
  }
}

const sources = fingerprint();
const isCurrent = existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
if (!isCurrent) {
  const vite = await import('vite').catch((error: Error & { code?: string }) => {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  });
  if (!vite) {
    // An installation without development packages serves the console that is already built.
    if (existsSync(join(output, 'index.html'))) process.exit(0);
    console.error(
      'The console is not built, and the packages to build it are not installed. Run npm ci, or copy dist/ from a machine that built it.',
    );
    process.exit(1);
  }
  console.log('Building the console…');
  await vite.build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
  compress();
  writeFileSync(stamp, sources);
}
