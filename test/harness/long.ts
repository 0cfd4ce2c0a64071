import { test } from 'vitest';

/** True in `npm run test:long`, which skips nothing (docs/decisions/0015). */
export const isLong = Boolean(process.env.TOCSIN_TEST_LONG);

/** A test that repeats, in another way or more often, what a test of every run covers. */
export const long = test.runIf(isLong);
