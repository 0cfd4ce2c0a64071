/**
 * Launches a real headless Chromium. The packaged build renders a page in less than half the time of a full browser,
 * but runs only on some systems. On other systems, the tests use the installed browser.
 */
import { type Browser, chromium } from 'playwright-core';
import { type DebianPackage, ensureDebianPackage, type Found, findBinary } from '../machine/debian.ts';

const hasPackaged = process.platform === 'linux' && process.arch === 'x64';
const wholeBrowsers = ['chromium', 'chromium-browser', 'google-chrome'];
/** The headless shell is faster than a full browser, because it lacks features that only a visible window needs. */
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
  // Each page is open only briefly, so V8's optimizing compiler costs more time than it saves.
  '--js-flags=--no-opt --no-maglev',
  // Without a graphics card, a separate GPU process would only add the cost of copying images.
  '--in-process-gpu',
];

/**
 * Path of a full browser, because only a full browser shows notifications; undefined if none is installed. Tests never
 * install it.
 */
export const wholeBrowser = process.env.CHROMIUM_PATH ?? findBinary(wholeBrowsers);

export const launchBrowser = () => launchWith([...quiet, ...shortLived]);
/** Starts the browser for benchmarks, with settings close to those of users' browsers. */
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
  // If the packaged browser cannot start, starts the installed one. If none is installed, starts the packaged browser
  // again as a single process, with the arguments that its package recommends.
  return launch(path).catch(() => (system ? launch(system) : launch(path, packaged.args)));
}

/** Finds, unpacks or installs the browser. Two processes must not unpack it at the same time. */
export async function ensureBrowser(): Promise<Found> {
  if (process.env.CHROMIUM_PATH) return { path: process.env.CHROMIUM_PATH };
  if (!hasPackaged) return ensureDebianPackage(SYSTEM);
  const { default: packaged } = await import('@sparticuz/chromium');
  return { path: await packaged.executablePath() };
}
