/**
 * A real Chromium without a window. The one that comes as a package does a page's work in less than half the time of a
 * whole browser, but is made for one kind of processor and needs libraries that not every system has; then the system's own
 * is used.
 */
import { type Browser, chromium } from 'playwright-core';
import { type DebianPackage, ensureDebianPackage, type Found, findBinary } from './debian.ts';

const hasPackaged = process.platform === 'linux' && process.arch === 'x64';
const wholeBrowsers = ['chromium', 'chromium-browser', 'google-chrome'];
/** Without the parts of a browser that only a window needs, it takes a quarter less time. */
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
  // A page lives for moments here, which is too short for compiling it a second time, better.
  '--js-flags=--no-opt --no-maglev',
  // There is no graphics card, so that a process for one only passes pictures on.
  '--in-process-gpu',
];

/** Only a whole browser shows notifications; nothing installs it for a test. */
export const wholeBrowser = process.env.CHROMIUM_PATH ?? findBinary(wholeBrowsers);

export const launchBrowser = () => launchWith([...quiet, ...shortLived]);
/** As people have it, for whoever measures. */
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
  // Its own arguments put everything into one process, which starts in more places and is less like a user's browser.
  return launch(path).catch(() => (system ? launch(system) : launch(path, packaged.args)));
}

/** The browser that tests use: unpacked, which only one process may do at a time, or installed. */
export async function ensureBrowser(): Promise<Found> {
  if (process.env.CHROMIUM_PATH) return { path: process.env.CHROMIUM_PATH };
  if (!hasPackaged) return ensureDebianPackage(SYSTEM);
  const { default: packaged } = await import('@sparticuz/chromium');
  return { path: await packaged.executablePath() };
}
