import { defineConfig } from 'vitest/config';
import { postgresAvailable } from './test/harness/postgres.ts';

const everywhere = '{domain,db,server,web,tools,test}';
/** Where it does not matter on which database, a server's takes a third of the work. */
const either = postgresAvailable() ? 'postgres' : 'embedded';
/** Then nothing is left out (docs/decisions/0015). */
const isLong = Boolean(process.env.TOCSIN_TEST_LONG);
/** What is asked here is asked of the product and not of its database, so it is asked once (docs/decisions/0015). */
const once = [
  'db/demo/*.db.test.ts',
  'server/http/*.db.test.ts',
  'server/auth/**/*.db.test.ts',
  'server/sender/**/*.db.test.ts',
  'server/cli/owner.db.test.ts',
  'server/engine/*.db.test.ts',
  'server/graphql/{explorer,late-session,schema/introspection}.db.test.ts',
  'server/pipeline/{commands,device}.db.test.ts',
  'test/api/!(every-query).db.test.ts',
  'test/gateway/*.db.test.ts',
  'test/live/alarm-news.db.test.ts',
  'test/scenarios/!(alarm|suppression).db.test.ts',
  'test/start/{alarm-survival,gateway-first}.db.test.ts',
  'tools/simulate/*.db.test.ts',
];
/** A database of the server's own dies with it, and one beside it does not: these ask more of the first. */
const onceEmbedded = ['server/demo/devices.db.test.ts', 'test/start/{ingest-survival,stop,survival}.db.test.ts'];

/** Tests that use a database are called *.db.test.ts and run on both but for those above; the browser's are in test/browser. */
export default defineConfig({
  test: {
    pool: 'forks',
    // Every test waits for something half of the time, so two cores have room for four.
    maxWorkers: 4,
    // What is waited for comes later on a slow or busy machine; how long it takes is no promise of a test.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: [`${everywhere}/**/*.test.{ts,tsx}`],
          exclude: ['**/*.db.test.ts', 'test/browser/**'],
          execArgv: ['--liftoff-only'],
        },
      },
      {
        extends: true,
        test: {
          name: 'embedded',
          isolate: false,
          include: [`${everywhere}/**/*.db.test.ts`],
          exclude: either === 'embedded' || isLong ? [] : once,
          // A database lives for moments here, which is too short for compiling it a second time, better.
          execArgv: ['--liftoff-only'],
          env: { TOCSIN_TEST_DATABASE: 'embedded' },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          isolate: false,
          include: [`${everywhere}/**/*.db.test.ts`],
          exclude: isLong ? [] : onceEmbedded,
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
          env: { TOCSIN_TEST_DATABASE: either },
        },
      },
    ],
  },
});
