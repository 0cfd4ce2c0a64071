import { test } from 'vitest';

/** True in `npm run test:long`, which skips nothing (docs/decisions/0015). */
export const isLong = Boolean(process.env.TOCSIN_TEST_LONG);

/** A test that covers again what faster tests of every run cover, in another way or more often. */
export const long = test.runIf(isLong);
