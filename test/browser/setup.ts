import { unpackBrowser } from '../harness/chromium.ts';

/** Runs once, before the processes that test in a browser. */
export const setup = unpackBrowser;
