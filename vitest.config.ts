import { defineConfig } from 'vitest/config';
import { postgresAvailable } from './test/harness/postgres.ts';

const everywhere = '{domain,db,server,web,tools,test}';

/** Tests that use a database are called *.db.test.ts and run on both; the browser's are in test/browser. */
export default defineConfig({
  test: {
    pool: 'forks',
    // Every test waits for something half of the time, so two cores have room for four.
    maxWorkers: 4,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // What is waited for comes later on a busy machine; how long it takes is no promise of a test.
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: [`${everywhere}/**/*.test.{ts,tsx}`],
          exclude: ['**/*.db.test.ts', 'test/browser/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'embedded',
          isolate: false,
          include: [`${everywhere}/**/*.db.test.ts`],
          env: { TOCSIN_TEST_DATABASE: 'embedded' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          isolate: false,
          include: [`${everywhere}/**/*.db.test.ts`],
          env: { TOCSIN_TEST_DATABASE: 'postgres' },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          isolate: false,
          include: ['test/browser/**/*.test.ts'],
          globalSetup: 'test/browser/setup.ts',
          // What a browser sees is the same on both, and takes two thirds of the work on a server.
          env: { TOCSIN_TEST_DATABASE: postgresAvailable() ? 'postgres' : 'embedded' },
          testTimeout: 60_000,
        },
      },
    ],
  },
});
