/** A real Chromium: the one of the system where there is one, else the one that comes as a package. */
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
  const installed = process.env.CHROMIUM_PATH ?? systemPaths.find((path) => existsSync(path));
  if (installed) return chromium.launch({ executablePath: installed, args: quiet });
  const { default: packaged } = await import('@sparticuz/chromium');
  return chromium.launch({ executablePath: await packaged.executablePath(), args: [...packaged.args, ...quiet] });
}
