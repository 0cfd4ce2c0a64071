import { ensureBrowser } from '../harness/browser/chromium.ts';

/** Runs once, before all browser tests. */
export async function setup(): Promise<void> {
  const browser = await ensureBrowser();
  if ('missing' in browser) throw new Error(browser.missing);
}
