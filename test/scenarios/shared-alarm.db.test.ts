/** An alarm that several rules of a site share, because they have the same message. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkUser, type UserRow } from '../harness/database/factories.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import { acknowledge, allowedReasons } from './people.ts';
import { Plant } from './plant.ts';

let plant: Plant;
let manager: TestBrowser;
let anna: UserRow;
beforeAll(async () => {
  plant = await Plant.start();
  manager = await plant.browser(await plant.person({ level: 5, name: 'Mia Manager' }));
  anna = await plant.person({ name: 'Anna' });
});
afterAll(() => plant?.close());

describe('an alarm', () => {
  test('is the only open one for its site and message: another rule with this message adds an occurrence', async () => {
    const station = await plant.station({ channels: [{ name: 'Level' }, { name: 'Backup level' }] });
    const backup = { ...station, datapointUuid: station.sensor.channels[1]?.datapointUuid as string };
    await plant.rule(station, { name: 'A', message: 'Sump is full' });
    await plant.rule(backup, { name: 'B', message: 'Sump is full' });
    await plant.send(station, 120);
    await plant.pass(1);
    await plant.send(station, 130, 0, 2);
    const [alarm, ...others] = await plant.alarms(station.site);
    expect(others).toEqual([]);
    expect(alarm).toMatchObject({ occurrences: 2, rule_name: 'A' });
    const lookup = await manager.data(
      'query ($s: UUID!) { openAlarm(tocsinSiteUuid: $s, message: "Sump is full") { uuid } }',
      { s: station.site.uuid },
    );
    expect(lookup.openAlarm.uuid).toBe(alarm.uuid);
    // Returns the states of the data points. Every data point that keeps the alarm open must be in the state "alarm".
    const statuses = async () => {
      const ask =
        'select status from tocsin.asset_datapoint where tocsin_asset_uuid = $1 order by tocsin_datapoint_name desc';
      return (await plant.query(ask, [station.sensor.assetUuid])).map(({ status }) => status);
    };
    expect(await statuses()).toEqual([2, 2]);
    await manager.data('mutation ($u: UUID!) { resolveAlarm(input: { uuid: $u }) { result { uuid } } }', {
      u: alarm.uuid,
    });
    await plant.settle();
    expect(await statuses(), 'none is in alarm once a person has resolved it').toEqual([1, 1]);
    await plant.pass(1);
    await plant.send(station, 50);
    await plant.send(station, 50, 0, 2);
    await plant.pass(1);
    await plant.send(station, 120);
    await plant.pass(1);
    await plant.send(station, 130, 0, 2);
    await plant.pass(1);
    await plant.send(station, 50);
    expect(await plant.open(station.site), 'the other rule keeps it open').toHaveLength(1);
    expect((await statuses())[1]).toBe(2);
    await plant.pass(1);
    await plant.send(station, 50, 0, 2);
    expect(await plant.open(station.site)).toEqual([]);
    const none = await manager.data(
      'query ($s: UUID!) { openAlarm(tocsinSiteUuid: $s, message: "Sump is full") { uuid } }',
      { s: station.site.uuid },
    );
    expect(none.openAlarm).toBeNull();
  });

  test('takes over recipients, severity and escalation of another rule with the same message', async () => {
    const station = await plant.station({ channels: [{ name: 'Level' }, { name: 'Backup level' }] });
    const { site } = station;
    const backup = { ...station, datapointUuid: station.sensor.channels[1]?.datapointUuid as string };
    const [dora, emil] = [await plant.person({ name: 'Dora' }), await plant.person({ name: 'Emil' })];
    await plant.rule(station, { name: 'A', message: 'Sump is full', priority: 'medium' });
    await plant.rule(backup, { name: 'B', message: 'Sump is full', priority: 'critical' });
    await plant.alert(site, 'A', { alert: [anna] }, { ind_ack: false });
    await plant.alert(site, 'B', { alert: [anna, dora], resolve: [dora], escalate: [emil] }, { escalate_minutes: 5 });
    const told = async () => (await plant.messages(site)).map(({ person, kind }) => `${person} ${kind}`);
    await plant.send(station, 120);
    await plant.settle();
    expect(await plant.open(site)).toMatchObject([{ severity: 'minor', must_acknowledge: false }]);
    const first = await told();
    expect(new Set(first)).toEqual(new Set(['Anna alarm']));
    await plant.pass(60);
    await plant.send(station, 130, 0, 2);
    await plant.settle();
    expect(await plant.open(site)).toMatchObject([
      { severity: 'critical', priority: 'critical', must_acknowledge: true, rule_name: 'A', occurrences: 2 },
    ]);
    const [joined] = await plant.query(
      `select e.sentence from tocsin.alarm_event e join tocsin.alarm a on a.uuid = e.tocsin_alarm_uuid
       where a.tocsin_site_uuid = $1 and e.kind = 'occurred'`,
      [site.uuid],
    );
    expect(joined.sentence).toMatch(/The rule "B" has the same message\. The severity is now critical\.$/);
    // Anna is not notified again, because she was already notified of this alarm.
    expect(new Set((await told()).slice(first.length))).toEqual(new Set(['Dora alarm']));
    const now = await told();
    // If rule B opens a second time while the alarm is open, its recipients are not notified again.
    await plant.pass(60);
    await plant.send(station, 50, 0, 2);
    await plant.pass(60);
    await plant.send(station, 130, 0, 2);
    await plant.settle();
    expect(await told()).toEqual(now);
    await plant.pass(4 * 60);
    expect(new Set((await told()).slice(now.length))).toEqual(new Set(['Emil escalation']));
    const [{ next_escalation_at: due }] = await plant.open(site);
    await plant.pass(60);
    await plant.send(station, 50, 0, 2);
    await plant.pass(1);
    await plant.send(station, 130, 0, 2);
    await plant.settle();
    expect(await plant.open(site), 'leaving the limits repeatedly does not escalate earlier').toMatchObject([
      { next_escalation_at: due },
    ]);
    await plant.pass(1);
    await plant.send(station, 50);
    await plant.send(station, 50, 0, 2);
    await plant.settle();
    expect(await plant.open(site)).toEqual([]);
    expect(
      new Set((await plant.messages(site)).filter(({ kind }) => kind === 'resolve').map(({ person }) => person)),
    ).toEqual(new Set(['Dora', 'Emil']));
  });

  test('that a person reported notifies the recipients of a rule with the same message', async () => {
    const station = await plant.station();
    await manager.data(
      'mutation ($s: UUID!) { createAlarm(input: { alarm: { tocsinSiteUuid: $s, message: "Sump is full" } }) { alarm { uuid } } }',
      { s: station.site.uuid },
    );
    await plant.rule(station, { name: 'A', message: 'Sump is full', priority: 'critical' });
    await plant.alert(station.site, 'A', { alert: [anna] });
    await plant.send(station, 120);
    await plant.settle();
    expect(await plant.open(station.site)).toMatchObject([{ source: 'person', severity: 'critical', occurrences: 2 }]);
    expect(new Set((await plant.messages(station.site)).map(({ person }) => person))).toEqual(new Set(['Anna']));
  });

  test('names the other rules that keep it open, and takes the reasons of each', async () => {
    const station = await plant.station({ channels: [{ name: 'Level' }, { name: 'Backup level' }] });
    const { site } = station;
    await linkUser(plant.db, anna, site);
    const backup = { ...station, datapointUuid: station.sensor.channels[1]?.datapointUuid as string };
    await plant.rule(station, { name: 'A', message: 'Sump is full' });
    const other = await plant.rule(backup, { name: 'B', message: 'Sump is full', value_upper: 110, debounce: 60 });
    await plant.alert(site, 'A', { reasons: ['Rain', 'Pump'] });
    await plant.alert(site, 'B', { reasons: ['Rain', 'Float stuck'] });
    await plant.send(station, 120);
    await plant.settle();
    const [{ uuid }] = await plant.open(site);
    const browser = await plant.browser(anna);
    const holders = async () => {
      const { alarm } = await browser.data(
        'query ($u: UUID!) { alarm(uuid: $u) { otherHolders { nodes { ruleUuid ruleName criteria datapointName isClearing } } } }',
        { u: uuid },
      );
      return alarm.otherHolders.nodes;
    };
    const lead = async () => {
      const ask = 'query ($s: UUID!) { site(uuid: $s) { leadDatapoint { tocsinDatapointName } } }';
      return (await browser.data(ask, { s: site.uuid })).site.leadDatapoint.tocsinDatapointName;
    };
    expect([await holders(), await lead()]).toEqual([[], 'Level']);
    expect(await allowedReasons(browser, uuid)).toEqual(['Pump', 'Rain']);

    await plant.send(station, 130, 0, 2);
    await plant.pass(30);
    expect(await holders(), 'a rule whose debounce has not ended does not keep the alarm open').toEqual([]);
    await plant.pass(40);
    const held = {
      ...{ ruleUuid: other.uuid, ruleName: 'B', datapointName: 'Backup level', isClearing: false },
      criteria: expect.objectContaining({ kind: 'limits', lower: null, upper: 110, debounce: 60 }),
    };
    expect(await holders()).toEqual([held]);
    expect(await allowedReasons(browser, uuid)).toEqual(['Float stuck', 'Pump', 'Rain']);
    const { alarm } = await acknowledge(browser, uuid, 'Float stuck');
    expect(alarm).toMatchObject({ reason: 'Float stuck' });

    expect(await lead(), 'both are outside their limits').toBe('Level');
    await plant.send(station, 50);
    expect(await lead(), 'only the other is outside its limits').toBe('Backup level');
    await plant.send(station, 50, 0, 2);
    expect([await holders(), await lead()]).toEqual([[{ ...held, isClearing: true }], 'Level']);
    await plant.pass(61);
    expect([await holders(), await plant.open(site)]).toEqual([[], []]);
    const events = await plant.query(
      `select kind, sentence from tocsin.alarm_event where tocsin_alarm_uuid = $1
       and kind in ('opened', 'occurred', 'one-back', 'clearing', 'resolved') order by at, id`,
      [uuid],
    );
    expect(events).toEqual([
      { kind: 'opened', sentence: 'Level was 120.' },
      {
        kind: 'occurred',
        sentence: 'Backup level was 130, out of limits for at least 60 s. The rule "B" has the same message.',
      },
      {
        kind: 'one-back',
        sentence: 'A: Returned to normal. Another rule keeps the alarm open.',
      },
      { kind: 'clearing', sentence: 'Back inside the limits (Backup level 50).' },
      { kind: 'resolved', sentence: 'B: Returned to normal.' },
    ]);
  });

  test.each([
    ['one after the other', 0],
    ['at the same moment', 60],
  ])('runs the command of each of its data points once, if they go outside %s', async (_, debounce) => {
    const station = await plant.station({ channels: [{ name: 'Level' }, { name: 'Backup level' }] });
    const backup = { ...station, datapointUuid: station.sensor.channels[1]?.datapointUuid as string };
    await plant.rule(station, { name: 'A', message: 'Sump is full', debounce });
    await plant.rule(backup, { name: 'B', message: 'Sump is full', debounce });
    await plant.action(station, { action: 3, reply_command: 'STOP BOTH' });
    const ofBackup = { tocsin_datapoint_uuid: backup.datapointUuid };
    await plant.action(station, { ...ofBackup, action: 3, reply_command: 'OPEN VALVE' });
    const queued = async () => {
      const ask = 'select reply_command from tocsin.reply_message where uid = $1 order by id';
      return (await plant.query(ask, [station.sensor.uid])).map((command) => command.reply_command);
    };
    await plant.send(station, 120);
    expect(await queued()).toEqual(debounce === 0 ? ['STOP BOTH'] : []);
    await plant.send(station, 130, 0, 2);
    await plant.pass(debounce + 1);
    expect((await queued()).toSorted()).toEqual(['OPEN VALVE', 'STOP BOTH']);
    for (const value of [50, 130]) {
      await plant.send(station, value, 0, 2);
      await plant.pass(debounce + 1);
    }
    expect(await queued()).toHaveLength(2);
  });
});
