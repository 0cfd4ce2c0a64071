/**
 * Launches a real headless Chromium. The packaged build renders a page in less than half the time of a full browser. It
 * supports one processor type and needs libraries that some systems lack. Where it cannot run, the system's own browser
 * is used.
 */
import { type Browser, chromium } from 'playwright-core';
import { type DebianPackage, ensureDebianPackage, type Found, findBinary } from '../machine/debian.ts';

const hasPackaged = process.platform === 'linux' && process.arch === 'x64';
const wholeBrowsers = ['chromium', 'chromium-browser', 'google-chrome'];
/** The headless shell is a quarter faster, because it lacks features that only a visible window needs. */
const SYSTEM: DebianPackage = {
  binaries: ['chromium-headless-shell', ...wholeBrowsers],
  package: 'chromium-headless-shell',
};
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const shortLived = [
  // A page is open too briefly for V8's optimizing compiler to pay off.
  '--js-flags=--no-opt --no-maglev',
  // Without a graphics card, a separate GPU process would only copy pictures.
  '--in-process-gpu',
];

/**
 * Path of a full browser, the only kind that shows notifications; undefined if none is installed. Tests never install
 * it.
 */
export const wholeBrowser = process.env.CHROMIUM_PATH ?? findBinary(wholeBrowsers);

export const launchBrowser = () => launchWith([...quiet, ...shortLived]);
/** Starts the browser with settings close to those of users, for benchmarks. */
export const launchAsUsersDo = () => launchWith(quiet);

async function launchWith(flags: readonly string[]): Promise<Browser> {
  const launch = (executablePath: string, more: readonly string[] = []) =>
    chromium.launch({ executablePath, args: [...more, ...flags] });
  if (process.env.CHROMIUM_PATH) return launch(process.env.CHROMIUM_PATH);
  const system = findBinary(SYSTEM.binaries);
  if (!hasPackaged) {
    if (!system) throw new Error(`No browser is installed: apt-get install ${SYSTEM.package}, or set CHROMIUM_PATH.`);
    return launch(system);
  }
  const { default: packaged } = await import('@sparticuz/chromium');
  const path = await packaged.executablePath();
  // If the packaged browser cannot start, the system's browser is used. Without one, the packaged browser starts again
  // with its own arguments, which run everything in one process.
  return launch(path).catch(() => (system ? launch(system) : launch(path, packaged.args)));
}

/** Finds, unpacks or installs the browser. Only one process may unpack it at a time. */
export async function ensureBrowser(): Promise<Found> {
  if (process.env.CHROMIUM_PATH) return { path: process.env.CHROMIUM_PATH };
  if (!hasPackaged) return ensureDebianPackage(SYSTEM);
  const { default: packaged } = await import('@sparticuz/chromium');
  return { path: await packaged.executablePath() };
}
