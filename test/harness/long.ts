import { test } from 'vitest';

/** `npm run test:long` leaves nothing out (docs/decisions/0015). */
export const isLong = Boolean(process.env.TOCSIN_TEST_LONG);

/** A test that asks again, in another way or more often, what others ask in every run. */
export const long = test.runIf(isLong);
