/**
 * Measures the first page of every admin list for a customer with 100,000 rows per list. Requests each list in its
 * default order, sorted by each column, and with a search. Sends the console's own operations. Prints one JSON line.
 * Run nothing else at the same time.
 *
 *   BENCH_ROWS=100000 node tools/bench/admin.ts [part of a list's name]
 */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { startPostgres } from '../../test/harness/database/postgres.ts';
import { runAsUsersDo, signIn, startAsUsersDo } from '../../test/harness/server/product.ts';
import { consoleOperations } from '../check-operations.ts';
import { fillAdminPlant } from './admin-plant.ts';
import { quantile } from './quantile.ts';

const rows = Number(process.env.BENCH_ROWS ?? 100_000);
const calls = 50;
const page = { first: 50, offset: 0 };
/** Total time limit for the calls of one query, in milliseconds. Each query is called at least eight times. */
const LONGEST = 8000;
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

const operations = consoleOperations();

type Variables = Record<string, unknown>;
type Words = (word: Variables) => Variables[];

interface List {
  operation: string;
  /** Sort orders that the console offers. The first is the default. */
  orders: (string[] | undefined)[];
  /** The filter that the search uses; undefined for a list without a search. */
  search?: Words;
  /**
   * For a list whose search is not a filter: the operation that searches. The search text is a variable of this
   * operation.
   */
  find?: string;
  always?: Variables[];
}

const sorted = (...columns: string[]) =>
  columns.flatMap((column) => ['ASC', 'DESC'].map((way) => [`${column}_${way}`, `PRIMARY_KEY_${way}`]));

const lists: Record<string, List> = {
  sites: {
    operation: 'SiteList',
    orders: sorted(
      'NAME',
      'SITE_ID',
      'SITE_TYPE',
      'SITE_CATEGORY',
      'GSM_SIGNAL_STRENGTH',
      'LAST_UPDATE',
      'SITE_STATUS',
    ),
    search: (word) => [{ name: word }, { siteId: word }],
  },
  sensors: {
    operation: 'SensorList',
    orders: sorted('UID', 'SENSOR_TYPE', 'STATUS'),
    find: 'SensorSearch',
  },
  assets: {
    operation: 'AssetList',
    orders: sorted('NAME'),
    search: (word) => [{ name: word }, { site: { name: word } }],
  },
  datapoints: {
    operation: 'DatapointList',
    orders: sorted('TOCSIN_DATAPOINT_NAME', 'STATUS', 'TOCSIN_ASSET_DATAPOINT_ORDER'),
    search: (word) => [
      { tocsinDatapointName: word },
      { asset: { name: word } },
      { asset: { site: { name: word } } },
      { sensor: { uid: word } },
    ],
  },
  rules: {
    operation: 'RuleList',
    orders: sorted('NAME'),
    search: (word) => [
      { name: word },
      { site: { name: word } },
      { asset: { name: word } },
      { datapoint: { tocsinDatapointName: word } },
    ],
  },
  ruleAlerts: {
    operation: 'RuleAlertList',
    orders: sorted('TOCSIN_RULE_NAME'),
    search: (word) => [{ tocsinRuleName: word }, { site: { name: word } }],
  },
  conditions: {
    operation: 'ConditionList',
    orders: sorted('RULE_NAME'),
    search: (word) => [{ ruleName: word }, { site: { name: word } }, { siteId: word }],
  },
  reasons: {
    operation: 'ReasonList',
    orders: [undefined],
    search: (word) => [{ ruleAlert: { tocsinRuleName: word } }, { ruleAlert: { site: { name: word } } }],
  },
  actions: {
    operation: 'ActionList',
    orders: [undefined],
    search: (word) => [
      { asset: { name: word } },
      { site: { name: word } },
      { datapoint: { tocsinDatapointName: word } },
      { notifyToUser: { displayName: word } },
    ],
  },
  groups: {
    operation: 'GroupList',
    orders: [undefined],
    search: (word) => [{ name: word }],
    always: [{ level: { greaterThan: 1 } }],
  },
  users: {
    operation: 'UserList',
    orders: sorted('DISPLAY_NAME', 'LEVEL'),
    search: (word) => [{ displayName: word }],
    always: [{ level: { greaterThan: 0 }, uuid: { notEqualTo: '00000000-0000-4000-8000-000000000000' } }],
  },
  commands: {
    operation: 'ReplyMessageList',
    orders: [...sorted('QUEUED_ON').reverse(), ...sorted('UID')],
    search: (word) => [{ uid: word }],
  },
  audits: {
    operation: 'AuditList',
    orders: [
      ['CREATED_AT_ASC', 'ID_ASC'],
      ['CREATED_AT_DESC', 'ID_DESC'],
    ],
  },
};

/** Search terms that occur in many rows, in one row, and in no row. */
const searches = ['Kelder', '099999', 'nowhere'];

interface Question {
  name: string;
  operation: string;
  variables: Variables;
}

function questionsOf(list: string, { operation, orders, search, find, always = [] }: List): Question[] {
  const ask = (name: string, orderBy: string[] | undefined, conditions: Variables[]): Question => ({
    name: `${list} ${name}`,
    operation,
    variables: { ...page, filter: { and: [...always, ...conditions] }, ...(orderBy && { orderBy }) },
  });
  return [
    ask('first page', orders[0], []),
    ...orders.slice(1).map((order) => ask(`by ${order?.[0]}`, order, [])),
    ...searches.flatMap((word) => {
      if (!find) return [];
      const { name, variables } = ask(`search ${word}`, orders[0], []);
      return [{ name, operation: find, variables: { ...variables, words: [word] } }];
    }),
    ...searches.flatMap((word) =>
      search ? [ask(`search ${word}`, orders[0], [{ or: search({ includesInsensitive: word }) }])] : [],
    ),
  ];
}

const alarms = [true, false].flatMap((isOpen) =>
  [null, ...searches].map((search) => ({
    name: `alarms ${isOpen ? 'open' : 'past'}${search ? ` search ${search}` : ' first page'}`,
    operation: 'AlarmList',
    variables: { ...page, isOpen, severity: null, search },
  })),
);

const only = process.argv[2];
const questions = [...Object.entries(lists).flatMap(([name, list]) => questionsOf(name, list)), ...alarms].filter(
  ({ name }) => only === undefined || name.includes(only),
);

const postgres = await startPostgres(undefined, 'durable');
const figures: Record<string, unknown> = {
  machine: `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`,
  node: process.version,
  rows,
  calls,
  target: 'p95 of each under 100 ms',
};
try {
  await postgres.createDatabase('bench');
  const settings = { DATABASE_URL: postgres.urlFor('bench') };
  const { code, output } = await runAsUsersDo(['server/cli/demo.ts', '--sites', '10'], settings);
  if (code !== 0) throw new Error(output);
  const admin = new URL(postgres.adminUrl);
  admin.pathname = '/bench';
  await fillAdminPlant(admin.href, rows);
  const product = await startAsUsersDo({ ...settings, TOCSIN_DEMO: 'on', TOCSIN_ROLES: 'web' });
  try {
    const headers = await signIn(product.url, 'owner@demo.example', 'tocsin-demo-plant');
    const slow: Record<string, number> = {};
    const all: Record<string, number> = {};
    for (const { name, operation, variables } of questions) {
      const body = JSON.stringify({ query: operations.get(operation), variables });
      const took: number[] = [];
      for (let call = 0; call < calls + 3 && (call < 8 || sum(took) < LONGEST); call += 1) {
        const began = performance.now();
        const answer = (await (await fetch(`${product.url}/graphql`, { method: 'POST', headers, body })).json()) as any;
        if (call >= 3) took.push(performance.now() - began);
        if (answer.errors) throw new Error(`${name}: ${JSON.stringify(answer.errors[0])}`);
      }
      const p95 = quantile(took, 0.95);
      console.error(`${name}: ${p95} ms`);
      all[name] = p95;
      if (p95 >= 100) slow[name] = p95;
    }
    figures.p95Ms = all;
    figures.over = slow;
    figures.load = loadavg()[0];
  } finally {
    await product.stop();
  }
} finally {
  await postgres.stop();
}
console.log(JSON.stringify(figures));
process.exit(0);
