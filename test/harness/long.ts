import { test } from 'vitest';

/** True in `npm run test:long`, which runs every test (docs/decisions/0015). */
export const isLong = Boolean(process.env.TOCSIN_TEST_LONG);

/** Defines a slow test that runs only in `npm run test:long`. Faster tests cover the same behaviour in every run. */
export const long = test.runIf(isLong);
