import { defineConfig } from 'vitest/config';
import { postgresAvailable } from './test/harness/database/postgres.ts';

const everywhere = '{domain,db,server,web,tools,test}';
/**
 * For tests that run on one database. Tests on PostgreSQL take a third of the time that they take on the embedded
 * database.
 */
const either = postgresAvailable() ? 'postgres' : 'embedded';
/** The long run excludes nothing (docs/decisions/0015). */
const isLong = Boolean(process.env.TOCSIN_TEST_LONG);
/** These do not depend on the kind of database, so `npm test` runs them on one (docs/decisions/0015). */
const once = [
  'db/demo/*.db.test.ts',
  'server/http/*.db.test.ts',
  'server/auth/**/*.db.test.ts',
  'server/clock/*.db.test.ts',
  'server/sender/**/*.db.test.ts',
  'server/cell/*.db.test.ts',
  'server/cli/owner.db.test.ts',
  'server/engine/*.db.test.ts',
  'server/graphql/{explorer,late-session,schema/introspection}.db.test.ts',
  'server/pipeline/{commands,device,pipeline}.db.test.ts',
  'server/rule/*.db.test.ts',
  'test/api/!(every-query).db.test.ts',
  'test/cluster/*.db.test.ts',
  'test/gateway/*.db.test.ts',
  'test/live/alarm-news.db.test.ts',
  'test/processes/*.db.test.ts',
  'test/scenarios/!(alarm).db.test.ts',
  'test/start/{alarm-survival,customer-move,escalation-survival,gateway-first,upgrade}.db.test.ts',
  'tools/simulate/*.db.test.ts',
];
/**
 * These tests kill or stop the server, which also ends the embedded database. They run only on the embedded database.
 */
const onceEmbedded = ['server/demo/devices.db.test.ts', 'test/start/{ingest-survival,stop,survival}.db.test.ts'];

/**
 * These tests compare a rate or a time with a limit while they load the machine, so the long run runs them alone, at
 * the end.
 */
const alone = ['test/gateway/rabbitmq.db.test.ts'];

/** Files named *.db.test.ts run on both databases, except those above. Browser tests are in test/browser. */
export default defineConfig({
  test: {
    pool: 'forks',
    // Tests wait half of the time, so two cores can run four.
    maxWorkers: 4,
    // Generous, because a busy machine is slow. No test depends on these limits.
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
          exclude: isLong ? alone : either === 'embedded' ? [] : once,
          // The embedded database lives too briefly for V8's optimizing compiler to pay off.
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
          exclude: isLong ? alone : onceEmbedded,
          env: { TOCSIN_TEST_DATABASE: 'postgres' },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          isolate: false,
          include: alone,
          env: { TOCSIN_TEST_DATABASE: either },
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
