import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect } from 'vitest';
import { testDatabaseKind } from '../harness/database/database.ts';
import { long } from '../harness/long.ts';
import { scratchFolder } from '../harness/machine/scratch.ts';
import { startAsUsersDo } from '../harness/server/product.ts';

const folder = scratchFolder('tocsin-stop');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The product is stopped before and after its engine starts, which takes two seconds. The engine then has twelve weeks
// of readings to roll up.
for (const seconds of [0, 3]) {
  long(`stops within 10 s of SIGTERM, ${seconds} s after the demo was created`, { timeout: 300_000 }, async () => {
    if (testDatabaseKind() !== 'embedded') return;
    const product = await startAsUsersDo({ TOCSIN_DEMO: 'on', TOCSIN_DATA_DIR: join(folder, `after-${seconds}`) });
    await pause(seconds * 1000);
    const began = performance.now();
    expect(await product.stop('SIGTERM')).toBe(0);
    expect(performance.now() - began).toBeLessThan(10_000);
  });
}
