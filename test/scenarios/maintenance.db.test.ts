/**
 * Maintenance windows: during planned work nobody is notified. Afterwards, people are notified of alarms that are still
 * open.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { followMaintenance } from '../../server/engine/maintenance.ts';
import type { UserRow } from '../harness/database/factories.ts';
import { isLong } from '../harness/long.ts';
import { acknowledge } from './people.ts';
import type { Plant, Station } from './plant.ts';
import { call, HOUR, MINUTE, PlannedPlant, scopes, targets } from './windows.ts';

let planned: PlannedPlant;
let plant: Plant;
let vera: UserRow;
beforeAll(async () => {
  planned = await PlannedPlant.start();
  ({ plant, vera } = planned);
});
afterAll(() => plant?.close());

const windowOf: PlannedPlant['windowOf'] = (...given) => planned.windowOf(...given);
const save: PlannedPlant['save'] = (input) => planned.save(input);
const stationWithRule = () => planned.stationWithRule();
const notified: PlannedPlant['notified'] = (station) => planned.notified(station);
const sentences = async (uuid: string) => (await plant.events(uuid)).map(({ sentence }) => sentence);

describe('a window that suppresses notifications', () => {
  test.each(scopes)('of a %s records alarms, and notifies at once at its end', async (scope) => {
    const station = await stationWithRule();
    await save(windowOf(scope, targets[scope](station), 0, HOUR));
    await plant.pass(MINUTE);
    await plant.send(station, 120);
    await plant.pass(30 * MINUTE);
    expect(await notified(station)).toEqual([]);
    const [alarm] = await plant.open(station.site);
    expect(alarm).toMatchObject({
      quiet_because: 'maintenance',
      opened_quiet: 'maintenance',
      next_escalation_at: null,
    });
    expect(await sentences(alarm.uuid)).toContain(
      'Nobody was notified, because maintenance is in progress: Pump service.',
    );
    await plant.pass(30 * MINUTE);
    expect(await notified(station)).toEqual(['reminder Vera']);
    const [reminder] = await plant.messages(station.site);
    expect(reminder?.text).toContain('Still open after maintenance.');
    await plant.pass(15 * MINUTE);
    expect(await notified(station)).toEqual(['reminder Vera', 'escalation Olga']);
  });

  test('makes open alarms quiet when it begins, and says so in their timelines', async () => {
    const station = await stationWithRule();
    await plant.send(station, 120);
    await plant.settle();
    await save(windowOf('asset', targets.asset(station), 5 * MINUTE, HOUR));
    await plant.pass(7 * MINUTE);
    const [alarm] = await plant.open(station.site);
    expect(alarm).toMatchObject({ quiet_because: 'maintenance', next_escalation_at: null });
    expect((await sentences(alarm.uuid)).at(-1)).toMatch(
      /^Maintenance started: Pump service, until \d{4}-\d\d-\d\d \d\d:\d\d\. Nobody is notified\.$/,
    );
    await plant.pass(40 * MINUTE);
    expect(await notified(station)).toEqual(['alarm Vera']);
  });

  test('notifies nobody of an alarm that resolves during the window', async () => {
    const station = await stationWithRule();
    await save(windowOf('site', station.site.uuid, 0, HOUR));
    await plant.pass(MINUTE);
    await plant.send(station, 120);
    await plant.pass(MINUTE);
    await plant.send(station, 50);
    await plant.pass(2 * HOUR);
    expect(await notified(station)).toEqual([]);
    const [{ uuid }] = await plant.alarms(station.site);
    expect(await sentences(uuid)).toContain('Nobody was notified of the resolution, because of maintenance.');
  });

  test('keeps an alarm quiet that is also shelved, until both have ended', async () => {
    const station = await stationWithRule();
    await save(windowOf('site', station.site.uuid, 0, HOUR));
    await plant.pass(MINUTE);
    await plant.send(station, 120);
    const [{ uuid }] = await plant.open(station.site);
    const browser = await plant.browser(vera);
    const shelving = { scope: 'alarm', targetUuid: uuid, minutes: 120, reason: 'Known' };
    await browser.data('mutation ($input: ShelveInput!) { shelve(input: $input) { result { uuid } } }', {
      input: shelving,
    });
    await plant.pass(HOUR);
    expect(await notified(station)).toEqual([]);
    await plant.pass(HOUR + MINUTE);
    expect(await notified(station)).toEqual(['reminder Vera']);
    expect((await plant.messages(station.site))[0]?.text).toContain('Still open after shelving.');
  });

  test('of one place leaves other places alone', async () => {
    const [here, there] = [await stationWithRule(), await stationWithRule()];
    await save(windowOf('site', here.site.uuid, 0, HOUR));
    await plant.pass(MINUTE);
    await plant.send(there, 120);
    await plant.settle();
    expect(await notified(there)).toEqual(['alarm Vera']);
  });
});

test('the explanation why nobody was notified names the window', async () => {
  const station = await stationWithRule();
  await save(windowOf('asset', targets.asset(station), 0, HOUR));
  await plant.pass(MINUTE);
  await plant.send(station, 120);
  const [{ uuid }] = await plant.open(station.site);
  const { explainAlarm, alarm } = await (await plant.browser(vera)).data(
    `query ($uuid: UUID!) { explainAlarm(uuid: $uuid) { stages { name held { sentence } } }
       alarm(uuid: $uuid) { notNotifiedBecause maintenanceWindow { name } } }`,
    { uuid },
  );
  const { held } = explainAlarm.stages.find(({ name }: { name: string }) => name === 'maintenance');
  expect(held).toHaveLength(1);
  expect(alarm).toEqual({ notNotifiedBecause: 'maintenance', maintenanceWindow: { name: 'Pump service' } });
});

describe('a window that suppresses alarms', () => {
  test.each(scopes)('of a %s opens none, and opens one at its end if the value is still outside', async (scope) => {
    const station = await stationWithRule();
    await save(windowOf(scope, targets[scope](station), 0, HOUR, 'alarms'));
    await plant.pass(MINUTE);
    await plant.send(station, 120);
    await plant.pass(30 * MINUTE);
    await plant.send(station, 130);
    await plant.pass(28 * MINUTE);
    expect(await plant.alarms(station.site)).toEqual([]);
    expect((await plant.transitions(station.ruleUuid)).map(({ to_phase }) => to_phase)).toEqual(['pending']);
    await plant.pass(2 * MINUTE);
    expect(await plant.open(station.site)).toHaveLength(1);
    expect(await notified(station)).toEqual(['alarm Vera']);
  });

  test('opens none for a value that is back before its end', async () => {
    const station = await stationWithRule();
    // The rule's creation time comes from the machine's clock, which is ahead of the plant's clock. The test replaces
    // it.
    const made = new Date(plant.clock.now().getTime() - HOUR * 1000);
    await plant.query('update tocsin.rule set created_at = $2 where uuid = $1', [station.ruleUuid, made]);
    await plant.query('update tocsin.rule_version set created_at = $2 where rule_uuid = $1', [station.ruleUuid, made]);
    await save(windowOf('site', station.site.uuid, 0, HOUR, 'alarms'));
    await plant.pass(MINUTE);
    await plant.send(station, 120);
    await plant.pass(30 * MINUTE);
    await plant.send(station, 50);
    await plant.pass(2 * HOUR);
    expect(await plant.alarms(station.site)).toEqual([]);
    const { explainRule } = await (await plant.browser(vera)).data(
      'query ($rule: UUID!, $from: Datetime!, $to: Datetime!) { explainRule(ruleUuid: $rule, from: $from, to: $to) { because sentence } }',
      { rule: station.ruleUuid, from: new Date(plant.clock.now().getTime() - 4 * HOUR * 1000), to: plant.clock.now() },
    );
    expect(explainRule).toMatchObject({
      because: 'maintenance',
      sentence: expect.stringContaining('The maintenance window "Pump service" suppressed alarms until '),
    });
  });

  test('opens the alarm when it is ended early or shortened', async () => {
    const station = await stationWithRule();
    const { uuid } = await save(windowOf('site', station.site.uuid, 0, 3 * HOUR, 'alarms'));
    await plant.pass(MINUTE);
    await plant.send(station, 120);
    await plant.pass(HOUR);
    expect(await plant.alarms(station.site)).toEqual([]);
    await call(await plant.browser(vera), 'endMaintenance', { windowUuid: uuid });
    await plant.settle();
    expect(await plant.open(station.site)).toHaveLength(1);
    expect(await notified(station)).toEqual(['alarm Vera']);
  });
});

test('a window that suppresses health opens no silence alarm until it ends', async () => {
  const silent = async (suppresses: string) => {
    const station = await plant.station();
    await plant.alert(station.site, 'High level', { health: [vera] });
    await plant.query('update tocsin.site set tocsin_health_duration_hours = 2 where uuid = $1', [station.site.uuid]);
    await plant.send(station, 50);
    await save(windowOf('site', station.site.uuid, 0, 5 * HOUR, suppresses));
    return station;
  };
  const [health, alarms] = [await silent('health'), await silent('alarms')];
  for (let hours = 0; hours < 4; hours += 1) await plant.pass(HOUR);
  expect(await plant.alarms(health.site)).toEqual([]);
  expect(await plant.open(alarms.site)).toMatchObject([{ source: 'silence', quiet_because: 'maintenance' }]);
  await plant.pass(HOUR + MINUTE);
  await plant.pass(MINUTE);
  expect(await notified(health)).toEqual(['health Vera']);
  expect(await notified(alarms)).toEqual(['reminder Vera']);
});

describe('several processes', () => {
  test('begin a window once', async () => {
    const station = await stationWithRule();
    await plant.send(station, 120);
    await plant.settle();
    await save(windowOf('site', station.site.uuid, 5 * MINUTE, HOUR));
    plant.clock.advance(6 * MINUTE * 1000);
    await Promise.all([1, 2, 3].map(() => followMaintenance(plant.db, plant.clock)));
    const [{ uuid }] = await plant.open(station.site);
    const kinds = (await plant.events(uuid)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'maintenance-started')).toHaveLength(1);
  });

  test('make an alarm quiet that opens while a window is saved', async () => {
    for (let round = 0; round < 5; round += 1) {
      const station = await stationWithRule();
      const window = windowOf('site', station.site.uuid, -2 * MINUTE, HOUR);
      await Promise.all([plant.send(station, 120), save(window)]);
      await plant.settle();
      expect(await plant.open(station.site)).toMatchObject([
        { quiet_because: 'maintenance', next_escalation_at: null },
      ]);
    }
  });
});

describe('after a time in which no server ran', () => {
  test('an alarm that was open becomes quiet in a window that has begun', async () => {
    const station = await stationWithRule();
    await plant.send(station, 120);
    await plant.settle();
    await save(windowOf('site', station.site.uuid, 5 * MINUTE, HOUR));
    await plant.restart(10 * MINUTE);
    await plant.settle();
    expect(await plant.open(station.site)).toMatchObject([{ quiet_because: 'maintenance' }]);
  });

  test('a window that began and ended leaves no alarm quiet', async () => {
    const station = await stationWithRule();
    await plant.send(station, 120);
    await plant.settle();
    await save(windowOf('site', station.site.uuid, 5 * MINUTE, HOUR));
    await plant.restart(2 * HOUR);
    await plant.settle();
    expect(await plant.open(station.site)).toMatchObject([{ quiet_because: null }]);
    expect(
      await plant.query('select is_done from tocsin.maintenance_occurrence where target_uuid = $1', [
        station.site.uuid,
      ]),
    ).toEqual([{ is_done: true }]);
  });
});

describe('the status 2 of a sensor', () => {
  const setStatus = async (station: Station, status: number) =>
    (await plant.browser(vera)).data(
      'mutation ($input: UpdateSensorInput!) { updateSensor(input: $input) { sensor { status } } }',
      {
        input: { uuid: station.sensor.uuid, patch: { status } },
      },
    );
  const windowsOf = (station: Station) =>
    plant.query(
      'select repeats, ended_how, ended_by_name as who from tocsin.maintenance_window where target_uuid = $1 order by created_at',
      [station.sensor.uuid],
    );

  test('is a window without end: readings change no alarm, and nobody is notified', async () => {
    const station = await stationWithRule();
    await plant.send(station, 120);
    await plant.settle();
    await setStatus(station, 2);
    await plant.settle();
    expect(await windowsOf(station)).toEqual([{ repeats: 'until-ended', ended_how: null, who: '' }]);
    await plant.send(station, 50);
    await plant.pass(5 * HOUR);
    expect(await plant.open(station.site)).toMatchObject([{ quiet_because: 'maintenance', quiet_until: null }]);
    expect(await notified(station)).toEqual(['alarm Vera']);
    await setStatus(station, 1);
    await plant.settle();
    expect(await windowsOf(station)).toEqual([{ repeats: 'until-ended', ended_how: 'person', who: 'Vera' }]);
    expect(await notified(station)).toEqual(['alarm Vera', 'reminder Vera']);
  });

  test('ends with the window', async () => {
    const station = await stationWithRule();
    await setStatus(station, 2);
    const [{ uuid }] = await plant.query('select uuid from tocsin.maintenance_window where target_uuid = $1', [
      station.sensor.uuid,
    ]);
    const { refusal } = await call(await plant.browser(vera), 'endMaintenance', { windowUuid: uuid });
    expect(refusal).toBeUndefined();
    expect(await plant.query('select status from tocsin.sensor where uuid = $1', [station.sensor.uuid])).toEqual([
      { status: 1 },
    ]);
    await plant.send(station, 120);
    await plant.settle();
    expect(await notified(station)).toEqual(['alarm Vera']);
  });
});

test('nobody is notified of an alarm in a window, and nobody is forgotten afterwards', async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant('send' as const), value: fc.constantFrom(50, 120) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(60, 420, 1800) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('plan' as const),
        scope: fc.constantFrom(...scopes),
        suppresses: fc.constantFrom('notifications', 'alarms', 'health'),
        from: fc.constantFrom(0, 5 * MINUTE),
        to: fc.constantFrom(10 * MINUTE, 40 * MINUTE),
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
      const isActive = async () =>
        (
          await plant.query(
            `select from tocsin.maintenance_occurrence o where o.target_uuid = any ($1) and o.starts_at <= $2 and o.ends_at > $2`,
            [scopes.map((scope) => targets[scope](station)), plant.clock.now()],
          )
        ).length > 0;
      let value = 50;
      for (const one of steps) {
        const before = (await notified(station)).length;
        const wasActive = await isActive();
        if (one.do === 'send') {
          // A reading with the same time as the previous reading would be ignored.
          plant.clock.advance(1000);
          value = one.value;
          await plant.send(station, value);
        }
        if (one.do === 'pass') await plant.pass(one.seconds);
        if (one.do === 'plan') {
          const input = windowOf(one.scope, targets[one.scope](station), one.from, one.to, one.suppresses);
          const { refusal } = await call(browser, 'saveMaintenanceWindow', input);
          if (refusal) expect(refusal.message).toMatch(/^Overlaps /);
        }
        if (one.do === 'end') {
          const rows = await plant.query(
            'select uuid from tocsin.maintenance_window where target_uuid = any ($1) and ended_at is null',
            [scopes.map((scope) => targets[scope](station))],
          );
          for (const { uuid } of rows) await call(browser, 'deleteMaintenanceWindow', { windowUuid: uuid });
        }
        if (one.do === 'acknowledge') {
          const [alarm] = await plant.open(station.site);
          if (alarm && !alarm.acknowledge_json) await acknowledge(browser, alarm.uuid, 'Known');
        }
        await plant.settle();
        if (wasActive && (await isActive()) && one.do !== 'pass') expect((await notified(station)).length).toBe(before);
        if (await isActive()) continue;
        const open = await plant.open(station.site);
        if (value > 100) expect(open).toHaveLength(1);
        for (const { uuid, quiet_because } of open) {
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
    { numRuns: isLong ? 40 : 6, endOnFailure: true },
  );
});
