/**
 * A real Chromium without a window. The one that comes as a package does a page's work in less than half the time of a
 * whole browser, but needs libraries that not every system has; then the system's own is used.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const systemPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function launchBrowser(): Promise<Browser> {
  const launch = (executablePath: string, args = quiet) => chromium.launch({ executablePath, args });
  if (process.env.CHROMIUM_PATH) return launch(process.env.CHROMIUM_PATH);
  const { default: packaged } = await import('@sparticuz/chromium');
  const path = await packaged.executablePath();
  const system = systemPaths.find((candidate) => existsSync(candidate));
  // Its own arguments put everything into one process, which starts in more places and is less like a user's browser.
  return launch(path).catch(() => (system ? launch(system) : launch(path, [...packaged.args, ...quiet])));
}

/** The packaged one is unpacked at its first use, which only one process may do at a time. */
export async function unpackBrowser(): Promise<void> {
  if (process.env.CHROMIUM_PATH) return;
  const { default: packaged } = await import('@sparticuz/chromium');
  await packaged.executablePath();
}
