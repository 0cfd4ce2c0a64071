/**
 * During a shelving, alarms are recorded but nobody is notified. When the shelving ends, people are notified of alarms
 * that are still open.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkUser, type UserRow } from '../harness/database/factories.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import { acknowledge, resolve } from './people.ts';
import { Plant, type Station } from './plant.ts';

let plant: Plant;
let vera: UserRow;
let olga: UserRow;
beforeAll(async () => {
  plant = await Plant.start();
  vera = await plant.person({ name: 'Vera', level: 5 });
  olga = await plant.person({ name: 'Olga' });
});
afterAll(() => plant?.close());

const HOUR = 3600;
const inSeconds = (seconds: number) => new Date(plant.clock.now().getTime() + seconds * 1000).toISOString();

interface Result {
  shelving: any;
  refusal: { message: string; field: string | undefined } | undefined;
}

async function call(browser: TestBrowser, name: string, input: object): Promise<Result> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const { data, errors } = await browser.graphql(
    `mutation ($input: ${type}!) { ${name}(input: $input) { result {
       uuid scope targetUuid targetName siteName userName reason until endedAt endedHow endedByName } } }`,
    { input },
  );
  const [error] = errors ?? [];
  return {
    shelving: data?.[name]?.result,
    refusal: error && { message: error.message, field: error.extensions?.field as string | undefined },
  };
}

async function shelve(scope: string, targetUuid: string, seconds = HOUR, by?: TestBrowser): Promise<any> {
  const input = { scope, targetUuid, until: inSeconds(seconds), reason: 'Pump being serviced' };
  const { shelving, refusal } = await call(by ?? (await plant.browser(vera)), 'shelve', input);
  expect(refusal).toBeUndefined();
  return shelving;
}

async function stationWithRule(): Promise<Station & { ruleUuid: string }> {
  const station = await plant.station();
  const { uuid } = await plant.rule(station, { name: 'High level' });
  await plant.alert(
    station.site,
    'High level',
    { alert: [vera], resolve: [vera], escalate: [olga] },
    { escalate_minutes: 15 },
  );
  await linkUser(plant.db, olga, station.site);
  return { ...station, ruleUuid: uuid };
}

/** Returns the kinds of the notifications in order, such as 'alarm Vera'. */
async function notified({ site }: Station): Promise<string[]> {
  const rows = await plant.query(
    `select kind, recipient_name as name from tocsin.notification where tocsin_site_uuid = $1 order by sequence_number`,
    [site.uuid],
  );
  return rows.map(({ kind, name }) => `${kind} ${name}`);
}

const kindsOf = async (uuid: string): Promise<string[]> =>
  (await plant.query('select kind from tocsin.alarm_event where tocsin_alarm_uuid = $1 order by id', [uuid])).map(
    ({ kind }) => kind,
  );

const targets = {
  rule: (station: Station & { ruleUuid: string }) => station.ruleUuid,
  datapoint: ({ datapointUuid }: Station) => datapointUuid,
  asset: ({ sensor }: Station) => sensor.assetUuid as string,
  site: ({ site }: Station) => site.uuid,
} as const;

describe('an alarm that opens', () => {
  test.each(Object.keys(targets) as (keyof typeof targets)[])(
    'while its %s is shelved notifies nobody until the end, and then at once',
    async (scope) => {
      const station = await stationWithRule();
      await shelve(scope, targets[scope](station));
      await plant.send(station, 120);
      await plant.pass(HOUR - 60);
      expect(await notified(station)).toEqual([]);
      const [alarm] = await plant.open(station.site);
      expect(alarm).toMatchObject({ quiet_because: 'shelved', opened_quiet: 'shelved', next_escalation_at: null });
      expect(await kindsOf(alarm.uuid)).toEqual(['opened', 'not-notified']);
      await plant.pass(61);
      expect(await notified(station)).toEqual(['reminder Vera']);
      const [reminder] = await plant.messages(station.site);
      expect(reminder?.text).toContain('Still open after shelving.');
      await plant.pass(15 * 60);
      expect(await notified(station)).toEqual(['reminder Vera', 'escalation Olga']);
      await plant.send(station, 50);
      expect((await notified(station)).slice(2).toSorted()).toEqual(['resolve Olga', 'resolve Vera']);
    },
  );

  test('and resolves while it is shelved notifies nobody at all', async () => {
    const station = await stationWithRule();
    await shelve('site', station.site.uuid);
    await plant.send(station, 120);
    await plant.pass(60);
    await plant.send(station, 50);
    await plant.pass(2 * HOUR);
    expect(await notified(station)).toEqual([]);
    const [alarm] = await plant.alarms(station.site);
    expect(await kindsOf(alarm.uuid)).toEqual(['opened', 'not-notified', 'resolved', 'not-notified']);
  });

  test('at another place is notified', async () => {
    const [here, there] = [await stationWithRule(), await stationWithRule()];
    await shelve('site', here.site.uuid);
    await plant.send(there, 120);
    await plant.settle();
    expect(await notified(there)).toEqual(['alarm Vera']);
  });

  test('because a site is silent notifies nobody while the site is shelved', async () => {
    const station = await plant.station();
    await plant.alert(station.site, 'High level', { health: [vera] });
    await plant.query('update tocsin.site set tocsin_health_duration_hours = 2 where uuid = $1', [station.site.uuid]);
    await plant.send(station, 50);
    await shelve('site', station.site.uuid, 24 * HOUR);
    for (let hours = 0; hours < 4; hours += 1) await plant.pass(HOUR);
    const [alarm] = await plant.open(station.site);
    expect(alarm).toMatchObject({ source: 'silence', quiet_because: 'shelved' });
    expect(await notified(station)).toEqual([]);
  });
});

describe('an open alarm', () => {
  test('is shelved: no escalation, no resolution, and the timeline shows who, why and until when', async () => {
    const station = await stationWithRule();
    await plant.send(station, 120);
    await plant.settle();
    const [{ uuid }] = await plant.open(station.site);
    await shelve('alarm', uuid, HOUR);
    await plant.pass(30 * 60);
    expect(await notified(station)).toEqual(['alarm Vera']);
    const [, shelved] = await plant.events(uuid);
    expect(shelved?.sentence).toMatch(
      /^Vera shelved the alarm until \d{4}-\d\d-\d\d \d\d:\d\d: Pump being serviced\.$/,
    );
    await plant.send(station, 50);
    await plant.pass(HOUR);
    expect(await notified(station)).toEqual(['alarm Vera']);
    const [shelving] = await plant.query('select * from tocsin.shelving where target_uuid = $1', [uuid]);
    expect(shelving).toMatchObject({ ended_how: 'resolved' });
  });

  test('that is acknowledged while it is shelved does not escalate afterwards', async () => {
    const station = await stationWithRule();
    await plant.send(station, 120);
    await plant.settle();
    const [{ uuid }] = await plant.open(station.site);
    await shelve('alarm', uuid, HOUR);
    await acknowledge(await plant.browser(vera), uuid, 'Known');
    await plant.pass(2 * HOUR);
    expect(await notified(station)).toEqual(['alarm Vera', 'reminder Vera']);
  });

  test('stays without escalation if an acknowledgement is undone while it is shelved', async () => {
    const station = await stationWithRule();
    await plant.send(station, 120);
    await plant.settle();
    const [{ uuid }] = await plant.open(station.site);
    const browser = await plant.browser(vera);
    await acknowledge(browser, uuid, 'Known');
    await shelve('alarm', uuid, HOUR);
    await browser.data(
      'mutation ($input: UndoAcknowledgementsInput!) { undoAcknowledgements(input: $input) { result { ok } } }',
      { input: { uuids: [uuid] } },
    );
    await plant.pass(30 * 60);
    expect(await notified(station)).toEqual(['alarm Vera']);
  });

  test('resolved by a person while it is shelved notifies nobody', async () => {
    const station = await stationWithRule();
    await plant.send(station, 120);
    await plant.settle();
    const [{ uuid }] = await plant.open(station.site);
    await shelve('alarm', uuid, HOUR);
    await resolve(await plant.browser(vera), uuid);
    await plant.settle();
    expect(await notified(station)).toEqual(['alarm Vera']);
  });

  test('has its own count and list', async () => {
    const browser = await plant.browser(vera);
    const counts = async () => {
      const { openAlarmCounts } = await browser.data('{ openAlarmCounts { nodes { open shelved } } }');
      return openAlarmCounts.nodes.reduce(
        (sum: { open: number; shelved: number }, { open, shelved }: { open: number; shelved: number }) => ({
          open: sum.open + open,
          shelved: sum.shelved + shelved,
        }),
        { open: 0, shelved: 0 },
      );
    };
    const station = await stationWithRule();
    await plant.send(station, 120);
    await plant.settle();
    const before = await counts();
    const [{ uuid }] = await plant.open(station.site);
    await shelve('alarm', uuid, HOUR);
    expect(await counts()).toEqual({ open: before.open - 1, shelved: before.shelved + 1 });
    const list = async (isShelved: boolean) => {
      const { alarmList } = await browser.data(
        'query ($site: UUID!, $isShelved: Boolean!) { alarmList(isOpen: true, siteUuid: $site, isShelved: $isShelved) { nodes { uuid quietUntil shelving { userName reason } } } }',
        { site: station.site.uuid, isShelved },
      );
      return alarmList.nodes;
    };
    expect(await list(false)).toEqual([]);
    expect(await list(true)).toMatchObject([{ uuid, shelving: { userName: 'Vera', reason: 'Pump being serviced' } }]);
  });
});

describe('a shelving', () => {
  test('for a duration ends by the clock of the server', async () => {
    const station = await stationWithRule();
    const browser = await plant.browser(vera);
    const given = { scope: 'site', targetUuid: station.site.uuid, reason: 'Work' };
    const { shelving } = await call(browser, 'shelve', { ...given, minutes: 15 });
    expect(new Date(shelving?.until ?? '').toISOString()).toBe(inSeconds(15 * 60));
    const { refusal } = await call(browser, 'extendShelving', { uuid: shelving?.uuid, minutes: 10 });
    expect(refusal).toMatchObject({
      field: 'minutes',
      message: expect.stringMatching(/^The shelving already lasts until /),
    });
    const { shelving: extended } = await call(browser, 'extendShelving', { uuid: shelving?.uuid, minutes: 60 });
    expect(new Date(extended?.until ?? '').toISOString()).toBe(inSeconds(HOUR));
  });

  test('that is extended ends later, and one that is ended early notifies at once', async () => {
    const station = await stationWithRule();
    const { uuid } = await shelve('site', station.site.uuid, HOUR);
    await plant.send(station, 120);
    const browser = await plant.browser(vera);
    expect((await call(browser, 'extendShelving', { uuid, until: inSeconds(3 * HOUR) })).refusal).toBeUndefined();
    await plant.pass(2 * HOUR);
    expect(await notified(station)).toEqual([]);
    const { shelving } = await call(browser, 'endShelving', { uuid });
    expect(shelving).toMatchObject({ endedHow: 'person', endedByName: 'Vera' });
    await plant.settle();
    expect(await notified(station)).toEqual(['reminder Vera']);
    const { refusal } = await call(browser, 'endShelving', { uuid });
    expect(refusal?.message).toMatch(/^The shelving ended on /);
  });

  test('of the site goes on when one of the asset ends', async () => {
    const station = await stationWithRule();
    await shelve('asset', targets.asset(station), HOUR);
    await shelve('site', station.site.uuid, 3 * HOUR);
    await plant.send(station, 120);
    await plant.pass(2 * HOUR);
    expect(await notified(station)).toEqual([]);
    await plant.pass(HOUR + 5);
    expect(await notified(station)).toEqual(['reminder Vera']);
  });

  test('of one rule does not silence another rule with the same message', async () => {
    const station = await stationWithRule();
    const message = 'Level too high';
    await plant.query('update tocsin.rule set message = $2 where uuid = $1', [station.ruleUuid, message]);
    await plant.rule(station, { name: 'Very high', value_upper: 200, message });
    await plant.alert(station.site, 'Very high', { alert: [olga] });
    await shelve('rule', station.ruleUuid);
    await plant.send(station, 120);
    await plant.pass(10);
    expect(await notified(station)).toEqual([]);
    await plant.send(station, 220);
    await plant.pass(10);
    expect((await notified(station)).toSorted()).toEqual(['reminder Olga', 'reminder Vera']);
  });

  test.each(['rule', 'asset', 'site'] as const)('ends when its %s is deleted', async (scope) => {
    const station = await stationWithRule();
    const { uuid } = await shelve(scope, targets[scope](station));
    await plant.query(`delete from tocsin.${scope} where uuid = $1`, [targets[scope](station)]);
    const [shelving] = await plant.query('select ended_how from tocsin.shelving where uuid = $1', [uuid]);
    expect(shelving).toEqual({ ended_how: 'deleted' });
  });

  test('is in the audit trail', async () => {
    const station = await stationWithRule();
    const { uuid } = await shelve('site', station.site.uuid);
    await call(await plant.browser(vera), 'endShelving', { uuid });
    const rows = await plant.query(
      'select action, user_display_name as who from tocsin.audit where row_key = $1 order by id',
      [uuid],
    );
    expect(rows).toEqual([
      { action: 'shelving.create', who: 'Vera' },
      { action: 'shelving.update', who: 'Vera' },
    ]);
  });
});

describe('shelving is refused', () => {
  const refusal = async (input: object, person = vera) =>
    (await call(await plant.browser(person), 'shelve', input)).refusal;

  test('without a reason or with a wrong scope, in the past, twice, and beyond the maximum of the user', async () => {
    const { site } = await stationWithRule();
    const given = { scope: 'site', targetUuid: site.uuid, until: inSeconds(HOUR), reason: 'Work' };
    expect(await refusal({ ...given, until: null })).toMatchObject({
      message: 'Choose a duration or an end time, not both.',
    });
    expect(await refusal({ ...given, minutes: 60 })).toMatchObject({ field: 'until' });
    expect(await refusal({ ...given, until: null, minutes: 0 })).toMatchObject({ field: 'minutes' });
    expect(await refusal({ ...given, until: null, minutes: 24 * 60 + 1 }, olga)).toMatchObject({
      field: 'minutes',
      message: expect.stringMatching(/^You may shelve for at most 24 hours\./),
    });
    expect(await refusal({ ...given, until: inSeconds(-1) })).toEqual({
      field: 'until',
      message: 'The end is in the past. Choose a later time.',
    });
    expect(await refusal({ ...given, reason: ' ' })).toEqual({ field: 'reason', message: 'Choose or enter a reason.' });
    expect(await refusal({ ...given, scope: 'plant' })).toMatchObject({ field: 'scope' });
    expect(await refusal({ ...given, until: inSeconds(8 * 24 * HOUR) })).toMatchObject({
      message: expect.stringMatching(/^You may shelve for at most 7 days\. Choose a time before \d/),
    });
    expect(await refusal({ ...given, until: inSeconds(25 * HOUR) }, olga)).toMatchObject({
      message: expect.stringMatching(/^You may shelve for at most 24 hours\./),
    });
    expect(await refusal({ ...given, until: inSeconds(24 * HOUR) }, olga)).toBeUndefined();
    expect(await refusal(given)).toMatchObject({
      field: 'targetUuid',
      message: expect.stringMatching(/^Olga already shelved the site ".*" until .*\. Extend that shelving instead\.$/),
    });
  });

  test('for critical alarms, unless the user confirms', async () => {
    const station = await stationWithRule();
    await plant.query("update tocsin.rule set priority = 'critical' where uuid = $1", [station.ruleUuid]);
    const given = { scope: 'asset', targetUuid: targets.asset(station), until: inSeconds(HOUR), reason: 'Work' };
    expect(await refusal(given)).toMatchObject({
      field: 'confirmCritical',
      message: expect.stringMatching(
        /^Alarms here can be critical\. Confirm that nobody needs to be notified until \d/,
      ),
    });
    expect(await refusal({ ...given, confirmCritical: true })).toBeUndefined();
  });

  test('at a site that the operator is not linked to', async () => {
    const station = await stationWithRule();
    const stranger = await plant.person({ name: 'Sven' });
    const given = { scope: 'site', targetUuid: station.site.uuid, until: inSeconds(HOUR), reason: 'Work' };
    expect(await refusal(given, stranger)).toMatchObject({ message: expect.stringMatching(/^The record was deleted/) });
  });
});

test('nobody is notified while an alarm is shelved, and everybody is of an alarm that is open afterwards', async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('send' as const), value: fc.constantFrom(50, 120) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(30, 400, 1800) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('shelve' as const),
        scope: fc.constantFrom('rule', 'datapoint', 'asset', 'site'),
        seconds: fc.constantFrom(300, 2000),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('acknowledge' as const) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const station = await stationWithRule();
      // Sessions expire, because the clock advances by hours. Each run therefore signs in again.
      const browser = await plant.app.browser(vera);
      /** The end time of each active shelving, keyed by scope. */
      const active = new Map<string, { uuid: string; until: number }>();
      const now = () => plant.clock.now().getTime();
      const isShelved = () => [...active.values()].some(({ until }) => until > now());
      for (const one of steps) {
        const before = (await notified(station)).length;
        const wasShelved = isShelved();
        if (one.do === 'send') await plant.send(station, one.value);
        if (one.do === 'pass') await plant.pass(one.seconds);
        if (one.do === 'shelve' && !((active.get(one.scope)?.until ?? 0) > now())) {
          const target = targets[one.scope as keyof typeof targets](station);
          const { uuid } = await shelve(one.scope, target, one.seconds, browser);
          active.set(one.scope, { uuid, until: now() + one.seconds * 1000 });
        }
        if (one.do === 'end') {
          for (const { uuid, until } of active.values())
            if (until > now()) await call(browser, 'endShelving', { uuid });
          active.clear();
        }
        if (one.do === 'acknowledge') {
          const [alarm] = await plant.open(station.site);
          if (alarm && !alarm.acknowledge_json) await acknowledge(browser, alarm.uuid, 'Known');
        }
        await plant.settle();
        if (wasShelved && isShelved()) expect((await notified(station)).length).toBe(before);
        if (isShelved()) continue;
        for (const { uuid, quiet_because } of await plant.open(station.site)) {
          expect(quiet_because).toBeNull();
          const rows = await plant.query(
            `select from tocsin.notification where tocsin_alarm_uuid = $1
             union all select from tocsin_private.deferred_notification where tocsin_alarm_uuid = $1`,
            [uuid],
          );
          expect(rows.length).toBeGreaterThan(0);
        }
      }
    }),
    { numRuns: 12, endOnFailure: true },
  );
});
