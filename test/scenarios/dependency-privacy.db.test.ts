/** Users who may not see the site of a cause read neither the name of the site nor the name of the cause. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personAccess } from '../../server/access.ts';
import type { UserRow } from '../harness/database/factories.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import { depend } from './dependency-plant.ts';
import { resolve } from './people.ts';
import { PlannedPlant } from './windows.ts';

const SECRET = /secret/i;
const ELSEWHERE = 'an alarm at another site';

let planned: PlannedPlant;
let operator: UserRow;
let consequence: string;
let rule: string;
let datapoint: string;
let began: number;

/** The consequence opens, stays open when its first cause ends, and again when its second cause ends. */
beforeAll(async () => {
  planned = await PlannedPlant.start();
  const { plant, vera } = planned;
  operator = planned.olga;
  const here = await planned.stationWithRule();
  [rule, datapoint] = [here.ruleUuid, here.datapointUuid];
  const [one, other] = [
    await plant.station({ name: 'Secret substation' }),
    await plant.station({ name: 'Secret reservoir' }),
  ];
  const causes = [await plant.rule(one, { name: 'Secret power' }), await plant.rule(other, { name: 'Secret level' })];
  await plant.query('update tocsin.rule set message = $1 where uuid = any ($2)', [
    'Secret message',
    causes.map(({ uuid }) => uuid),
  ]);
  const manager = await plant.browser(vera);
  for (const cause of causes) {
    expect(await depend(manager, { tocsinRuleUuid: rule, causeRuleUuid: cause.uuid })).toBeUndefined();
  }
  began = plant.clock.now().getTime();
  await plant.send(one, 150);
  await plant.pass(1);
  await plant.send(here, 150);
  await plant.pass(1);
  await plant.send(other, 150);
  const [open] = await plant.open(here.site);
  consequence = open.uuid;
  await plant.pass(60);
  await plant.send(one, 50);
  await plant.pass(60);
  await resolve(manager, (await plant.open(other.site))[0].uuid);
  await plant.pass(60);
  expect(await planned.notified(here)).toEqual(['reminder Vera']);
});
afterAll(() => planned?.plant.close());

/** Everything that the API says about the consequence and its rule. */
async function readAll(browser: TestBrowser): Promise<any> {
  const [from, to] = [began - 1000, planned.plant.clock.now().getTime()].map((at) => new Date(at).toISOString());
  return browser.data(
    `query ($alarm: UUID!, $rule: UUID!, $from: Datetime!, $to: Datetime!, $simulate: SimulateRuleInput!) {
       alarm(uuid: $alarm) { causeName causeAlarm { message siteName } alarmEvents { nodes { kind sentence detail } }
         notifications { nodes { notifyMessage subject } } similar { nodes { message } } }
       explainAlarm(uuid: $alarm) { sentence notes timeline { sentence } stages { name held { sentence } } messages { text } }
       rule(uuid: $rule) { causes { nodes { name siteName } }
         dependencies { nodes { causeUuid causeRule { name } causeSite { name } } } }
       explainRule(ruleUuid: $rule, from: $from, to: $to) { sentence alarms { message } }
       simulateRule(input: $simulate) { notes missed { message } }
       alarmList(first: 20) { nodes { message siteName causeName } }
     }`,
    {
      ...{ alarm: consequence, rule, from, to },
      simulate: { datapointUuid: datapoint, ruleUuid: rule, valueUpper: 100, from, to },
    },
  );
}

test('an operator reads no name of a cause at another site in the API', async () => {
  const data = await readAll(await planned.plant.browser(operator));
  expect(JSON.stringify(data)).not.toMatch(SECRET);
  expect(data.alarm.causeName).toBe(ELSEWHERE);
  const sentences = data.alarm.alarmEvents.nodes.map(({ sentence }: { sentence: string }) => sentence);
  expect(sentences.filter((sentence: string) => sentence.toLowerCase().includes(ELSEWHERE))).not.toEqual([]);
  expect(data.alarm.notifications.nodes[0].notifyMessage).toContain(`Still open after ${ELSEWHERE} ended.`);
});

test('a manager reads the name', async () => {
  const data = await readAll(await planned.plant.browser(planned.vera));
  expect(data.alarm.causeName).toMatch(/^"Secret (power|level)" at Secret /);
  expect(data.rule.causes.nodes).toHaveLength(2);
});

test('no row that the operator may read has the name', async () => {
  const { plant } = planned;
  const columns = await plant.query<{ name: string; columns: string }>(
    `select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'tocsin'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and has_column_privilege('tocsin_request', c.oid, a.attnum, 'select') group by 1`,
  );
  expect(columns.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['alarm', 'alarm_event', 'notification', 'dependency', 'site', 'rule']),
  );
  const { uuid, level } = operator;
  const person = { uuid, customerUuid: plant.customer.uuid, level, partnerAccount: false };
  const found = await plant.db.transaction(personAccess(person, plant.clock), async (tx) => {
    const tables: string[] = [];
    for (const { name, columns: readable } of columns) {
      const { rows } = await tx.query<{ row: string }>(
        `select to_json(t)::text as row from (select ${readable} from tocsin."${name}") t`,
      );
      if (rows.some(({ row }) => SECRET.test(row))) tables.push(name);
    }
    return tables;
  });
  expect(found).toEqual([]);
});
