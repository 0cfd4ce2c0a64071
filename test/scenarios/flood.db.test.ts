/** During an alarm flood, people get one digest a minute instead of one notification for each alarm. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertRow, serviceQuery, type UserRow } from '../harness/database/factories.ts';
import {
  calmDown,
  clear,
  digestTextsOf,
  type FloodPeople,
  floodStation,
  floodsOf,
  heard,
  raise,
} from './flood-plant.ts';
import { acknowledge, resolve } from './people.ts';
import { Plant } from './plant.ts';

let plant: Plant;
let vera: UserRow;
let olga: UserRow;
beforeAll(async () => {
  plant = await Plant.start();
  vera = await plant.person({ name: 'Vera', level: 5 });
  olga = await plant.person({ name: 'Olga', level: 5 });
});
afterAll(() => plant?.close());
beforeEach(() => calmDown(plant));

const times = (count: number, what: string) => Array<string>(count).fill(what);
const station = (people: FloodPeople = { alert: [vera] }, options = {}) => floodStation(plant, people, options);

describe('a flood', () => {
  test('passes the eleventh and later alarms of one batch to a digest, in the order of events', async () => {
    const storm = await station({ alert: [vera, olga] }, { name: 'Mill' });
    await raise(plant, storm, 1, 30);
    const own = await heard(plant, storm);
    expect(own.toSorted()).toEqual([...times(10, 'alarm Olga'), ...times(10, 'alarm Vera')]);
    const alarms = await plant.alarms(storm.site);
    const openings = await plant.query(
      `select a.message from tocsin.alarm a join tocsin.alarm_event e on e.tocsin_alarm_uuid = a.uuid
       where a.tocsin_site_uuid = $1 and e.kind = 'not-notified' and e.detail ->> 'because' = 'flood'`,
      [storm.site.uuid],
    );
    expect([alarms.length, openings.length]).toEqual([30, 20]);
    const [flood] = await floodsOf(plant);
    expect(flood).toMatchObject({ place_name: 'Mill', alarms: 30, ended_at: null, tocsin_site_uuid: storm.site.uuid });
    await plant.pass(55);
    expect(await heard(plant, storm)).toHaveLength(20);
    await plant.pass(10);
    expect((await heard(plant, storm)).slice(20).toSorted()).toEqual(['digest Olga', 'digest Vera']);
    const [text] = await digestTextsOf(plant, storm);
    expect(text).toMatch(
      /^MAJOR: Alarm flood at Mill since \d\d:\d\d\. First: Point \d+ is high\. 20 new alarms \(2 major, 18 minor\)\. Site: Mill \(20\)\.$/,
    );
    const first = alarms.find(({ uuid }) => uuid === flood.tocsin_alarm_uuid);
    expect(text).toContain(`First: ${first.message}.`);
  });

  test('names the digest in the timeline of every alarm that it reported', async () => {
    const storm = await station({ alert: [vera, olga] });
    await raise(plant, storm, 1, 14);
    await plant.pass(65);
    const browser = await plant.app.browser(vera);
    for (const { uuid } of await plant.alarms(storm.site)) {
      const { data } = await browser.graphql(
        `query ($uuid: UUID!) { alarm(uuid: $uuid) { notifiedCount notNotifiedBecause
           notifications { nodes { kind } } digests { nodes { uuid kind recipientName } }
           alarmEvents(orderBy: [ID_ASC]) { nodes { kind sentence } } } }`,
        { uuid },
      );
      const { alarm } = data as any;
      expect(alarm).toMatchObject({ notifiedCount: 0, notNotifiedBecause: 'kept' });
      const sentences = alarm.alarmEvents.nodes.map(({ kind, sentence }: any) => `${kind}: ${sentence}`);
      const alone = alarm.notifications.nodes.filter(({ kind }: any) => kind === 'alarm').length;
      if (alone > 0) {
        expect(alarm.digests.nodes).toEqual([]);
        continue;
      }
      expect(alarm.digests.nodes.map(({ recipientName }: any) => recipientName).toSorted()).toEqual(['Olga', 'Vera']);
      expect(sentences).toContainEqual(
        expect.stringMatching(/^digest: A digest reported the alarm to (Vera and Olga|Olga and Vera)\.$/),
      );
      const digest = alarm.digests.nodes[0].uuid;
      const { data: listed } = await browser.graphql(
        'query ($digest: UUID!) { alarmList(digestUuid: $digest) { nodes { uuid } } alarmCount(digestUuid: $digest) { nodes } }',
        { digest },
      );
      const { alarmList, alarmCount } = listed as any;
      expect(alarmList.nodes).toContainEqual({ uuid });
      expect([alarmList.nodes.length, alarmCount.nodes]).toEqual([4, [4]]);
    }
  });

  test('sends at most one digest a minute, and the last one after the flood', async () => {
    const storm = await station();
    await raise(plant, storm, 1, 12);
    for (let channel = 13; channel <= 30; channel += 1) {
      await plant.pass(9);
      await raise(plant, storm, channel);
    }
    await plant.pass(120);
    const digests = await plant.query(
      `select notify_time from tocsin.notification where tocsin_site_uuid = $1 and kind = 'digest' order by 1`,
      [storm.site.uuid],
    );
    const gaps = digests.slice(1).map((row, index) => Number(row.notify_time) - Number(digests[index].notify_time));
    expect(digests.length).toBeGreaterThan(2);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(60_000);
    const reported = await plant.query(
      `select distinct e.tocsin_alarm_uuid from tocsin.alarm_event e join tocsin.alarm a on a.uuid = e.tocsin_alarm_uuid
       where a.tocsin_site_uuid = $1 and e.kind = 'digest'`,
      [storm.site.uuid],
    );
    expect(reported).toHaveLength(20);
  });

  test('ends when fewer than five alarms are within ten minutes; then alarms are notified one by one', async () => {
    const storm = await station();
    await raise(plant, storm, 1, 12);
    await plant.pass(590);
    expect((await floodsOf(plant)).at(-1)).toMatchObject({ ended_at: null });
    await plant.pass(20);
    const [ended] = (await floodsOf(plant)).slice(-1);
    expect(ended.ended_at - ended.began_at).toBe(600_000);
    const before = await heard(plant, storm);
    await raise(plant, storm, 13);
    expect((await heard(plant, storm)).slice(before.length)).toEqual(['alarm Vera']);
  });

  test('concerns all sites of a unit office together', async () => {
    const office = await insertRow(plant.db, 'tocsin.group', {
      ...{ tocsin_customer_uuid: plant.customer.uuid, level: 5, name: 'Office North' },
    });
    const [weir, mill] = [await station(), await station()];
    await serviceQuery(plant.db, 'update tocsin.site set tocsin_group5_uuid = $1 where uuid = any ($2::uuid[])', [
      office.uuid,
      [weir.site.uuid, mill.site.uuid],
    ]);
    await raise(plant, weir, 1, 8);
    await raise(plant, mill, 1, 4);
    expect(await heard(plant, weir)).toEqual(times(8, 'alarm Vera'));
    expect(await heard(plant, mill)).toEqual(times(2, 'alarm Vera'));
    const [flood] = (await floodsOf(plant)).slice(-1);
    expect(flood).toMatchObject({ tocsin_group_uuid: office.uuid, tocsin_site_uuid: null, alarms: 12 });
    expect(flood.first_site_name).toBe(weir.site.name);
    await plant.pass(65);
    expect((await digestTextsOf(plant, mill))[0]).toContain('Alarm flood at Office North since');
  });

  test('ends below the number that the customer has set', async () => {
    await plant.query('update tocsin.customer set flood_end_alarms = 1 where uuid = $1', [plant.customer.uuid]);
    const storm = await station();
    await raise(plant, storm, 1, 12);
    await plant.pass(300);
    await raise(plant, storm, 13);
    await plant.pass(500);
    const before = (await heard(plant, storm)).length;
    await raise(plant, storm, 14);
    expect((await heard(plant, storm)).slice(before)).toEqual([]);
    await plant.query('update tocsin.customer set flood_end_alarms = 5 where uuid = $1', [plant.customer.uuid]);
  });
});

describe('an alarm that opened in a flood', () => {
  test('is notified at once if it is critical', async () => {
    const storm = await station();
    await plant.query(`update tocsin.rule set priority = 'critical' where uuid = $1`, [storm.rules[19]]);
    await raise(plant, storm, 1, 12);
    const before = (await heard(plant, storm)).length;
    await raise(plant, storm, 20);
    expect((await heard(plant, storm)).slice(before)).toEqual(['alarm Vera']);
    const critical = (await plant.alarms(storm.site)).find(({ severity }) => severity === 'critical');
    expect((await plant.events(critical.uuid)).map(({ kind }) => kind)).toEqual(['opened']);
    await clear(plant, storm, 20);
    await plant.pass(65);
    expect((await digestTextsOf(plant, storm))[0]).toContain('2 new alarms (2 minor)');
  });

  test('escalates in a digest, unless somebody acknowledges it before', async () => {
    const storm = await station({ alert: [vera], escalate: [olga] }, { alert: { escalate_minutes: 15 } });
    await raise(plant, storm, 1, 13);
    const browser = await plant.app.browser(vera);
    const flooded = (await plant.query(
      `select a.uuid from tocsin.alarm a join tocsin.alarm_event e on e.tocsin_alarm_uuid = a.uuid
       where a.tocsin_site_uuid = $1 and e.detail ->> 'because' = 'flood'`,
      [storm.site.uuid],
    )) as { uuid: string }[];
    await plant.pass(65);
    await plant.pass(14 * 60);
    const { refusal } = await acknowledge(browser, flooded[0]?.uuid as string, 'Done');
    expect(refusal).toBeUndefined();
    const before = (await heard(plant, storm)).filter((one) => one === 'escalation Olga');
    expect(before).toHaveLength(10);
    await plant.pass(65);
    const texts = await digestTextsOf(plant, storm);
    expect(texts.at(-1)).toContain('Alarms: 2 not acknowledged.');
    expect((await heard(plant, storm)).filter((one) => one === 'digest Olga')).toHaveLength(1);
  });

  test('reports its resolution in a digest, even after the flood', async () => {
    const storm = await station({ alert: [vera], resolve: [vera] });
    await raise(plant, storm, 1, 30);
    await plant.pass(1800);
    const before = (await heard(plant, storm)).length;
    await clear(plant, storm, 1, 30);
    await plant.pass(65);
    expect((await heard(plant, storm)).slice(before).toSorted()).toEqual(['digest Vera', ...times(10, 'resolve Vera')]);
    expect((await digestTextsOf(plant, storm)).at(-1)).toMatch(/^RESOLVED \(major\): .* Alarms: 20 resolved\./);
  });

  test('is in the digest although it resolved while it waited', async () => {
    const storm = await station({ alert: [vera], resolve: [vera] });
    await raise(plant, storm, 1, 12);
    await clear(plant, storm, 11, 12);
    await plant.pass(65);
    expect(await digestTextsOf(plant, storm)).toEqual([expect.stringContaining('2 new alarms (2 minor), 2 resolved')]);
  });

  test('is notified once if a person resolves it', async () => {
    const storm = await station({ alert: [vera], resolve: [vera] });
    await raise(plant, storm, 1, 11);
    await plant.pass(65);
    const [{ uuid }] = (await plant.query(
      `select tocsin_alarm_uuid as uuid from tocsin.alarm_event where kind = 'digest' order by id desc limit 1`,
    )) as [{ uuid: string }];
    expect((await resolve(await plant.app.browser(vera), uuid)).refusal).toBeUndefined();
    await plant.pass(5);
    await plant.pass(65);
    expect((await digestTextsOf(plant, storm)).slice(1)).toEqual([expect.stringContaining('1 resolved')]);
  });

  test('is sent alone if a second rule makes it critical while it waits', async () => {
    const storm = await station();
    await raise(plant, storm, 1, 11);
    await plant.query(
      `update tocsin.alarm set severity = 'critical' where uuid in (select e.tocsin_alarm_uuid from tocsin_private.digest_entry e)`,
    );
    await plant.pass(65);
    expect((await heard(plant, storm)).slice(10)).toEqual(['alarm Vera']);
  });

  test('is not in the digest while it is shelved; the reminder is', async () => {
    const storm = await station();
    await raise(plant, storm, 1, 11);
    const [{ uuid }] = (await plant.query('select tocsin_alarm_uuid as uuid from tocsin_private.digest_entry')) as [
      { uuid: string },
    ];
    const { errors } = await (await plant.app.browser(vera)).graphql(
      'mutation ($input: ShelveInput!) { shelve(input: $input) { result { uuid } } }',
      { input: { scope: 'alarm', targetUuid: uuid, minutes: 15, reason: 'Work' } },
    );
    expect(errors).toBeUndefined();
    await plant.pass(65);
    expect(await digestTextsOf(plant, storm)).toEqual([]);
    await plant.pass(900);
    await plant.pass(65);
    expect(await digestTextsOf(plant, storm)).toEqual([expect.stringContaining('1 still open after shelving')]);
  });
});

test('shelved alarms do not count for a flood', async () => {
  const storm = await station();
  const { errors } = await (await plant.app.browser(vera)).graphql(
    'mutation ($input: ShelveInput!) { shelve(input: $input) { result { uuid } } }',
    { input: { scope: 'rule', targetUuid: storm.rules[0], minutes: 15, reason: 'Work' } },
  );
  expect(errors).toBeUndefined();
  await raise(plant, storm, 1, 6);
  await raise(plant, storm, 7, 11);
  expect(await heard(plant, storm)).toEqual(times(10, 'alarm Vera'));
  await raise(plant, storm, 12);
  expect(await heard(plant, storm)).toHaveLength(10);
});

test('a disabled person gets no digest', async () => {
  const tom = await plant.person({ name: 'Tom' });
  const storm = await station({ alert: [vera, tom] });
  await raise(plant, storm, 1, 11);
  await plant.query('update tocsin.user set status = false where uuid = $1', [tom.uuid]);
  await plant.pass(65);
  expect((await heard(plant, storm)).slice(20)).toEqual(['digest Vera']);
});

test('the explanation of an alarm names the flood and the digest', async () => {
  const storm = await station();
  await raise(plant, storm, 1, 11);
  await plant.pass(65);
  const [{ uuid }] = (await plant.query(
    `select tocsin_alarm_uuid as uuid from tocsin.alarm_event where kind = 'digest' order by id desc limit 1`,
  )) as [{ uuid: string }];
  const { explainAlarm } = await (await plant.app.browser(vera)).data(
    'query ($uuid: UUID!) { explainAlarm(uuid: $uuid) { stages { name held { sentence because } } messages { name kind } } }',
    { uuid },
  );
  const flood = explainAlarm.stages.find(({ name }: any) => name === 'flood');
  expect(flood.held).toMatchObject([{ because: 'flood' }]);
  expect(explainAlarm.messages).toEqual([{ name: 'Vera', kind: 'digest' }]);
});
