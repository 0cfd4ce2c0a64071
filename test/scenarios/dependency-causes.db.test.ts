/**
 * Which alarms count as a cause, and for how long: silent sites, and causes that are shelved, resolved, disabled or
 * deleted.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notifiedOf, openOf, Scene, sendFrames } from './dependency-plant.ts';
import { resolve } from './people.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene?.plant.close());

const HOUR = 3600;

describe('a site', () => {
  test('that depends on its own rule is silenced, except for this rule', async () => {
    await scene.start({});
    const dependency = { tocsinSiteUuid: scene.station.site.uuid, causeRuleUuid: scene.station.rules.Power };
    await scene.add(dependency);
    await scene.send({ Flow: 120 }, { Power: 120, Pump: 120 });
    await scene.plant.pass(HOUR);
    expect(await scene.notified('Flow')).toEqual([]);
    expect(await scene.notified('Pump')).toEqual([]);
    expect(await scene.notified('Power')).toContain('alarm Vera');
    await scene.send({ Power: 50 });
    await scene.plant.settle();
    expect(await scene.notified('Flow')).toEqual(['reminder Vera']);
    expect(await scene.notified('Pump')).toEqual(['reminder Vera']);
  });

  test('that depends on the silence of another site is silenced with it, and notifies when only it stays silent', async () => {
    const gateway = await scene.start({});
    await scene.plant.alert(gateway.site, 'Site silent', { health: [scene.vera] });
    const remote = await scene.start({});
    await scene.plant.alert(remote.site, 'Site silent', { health: [scene.vera] });
    const dependency = { tocsinSiteUuid: remote.site.uuid, causeSiteUuid: gateway.site.uuid };
    await scene.add(dependency);
    await scene.plant.query('update tocsin.site set tocsin_health_duration_hours = 2 where uuid = any ($1)', [
      [gateway.site.uuid, remote.site.uuid],
    ]);
    await sendFrames(scene.plant, gateway, [{ Power: 50 }]);
    await sendFrames(scene.plant, remote, [{ Power: 50 }]);
    for (let hours = 0; hours < 3; hours += 1) await scene.plant.pass(HOUR);
    expect(await notifiedOf(scene.plant, gateway, 'Site silent')).toEqual(['health Vera']);
    expect(await notifiedOf(scene.plant, remote, 'Site silent')).toEqual([]);
    expect(await openOf(scene.plant, remote, 'Site silent')).toMatchObject({
      quiet_because: 'dependency',
      quiet_source: (await openOf(scene.plant, gateway, 'Site silent')).uuid,
    });
    await sendFrames(scene.plant, gateway, [{ Power: 50 }]);
    await scene.plant.settle();
    await scene.plant.settle();
    expect(await notifiedOf(scene.plant, remote, 'Site silent')).toEqual(['reminder Vera']);
    const reminder = (await scene.plant.messages(remote.site)).find(({ kind }) => kind === 'reminder');
    expect(reminder?.text).toContain('Still open after an alarm at another site ended.');
  });
});

describe('a cause', () => {
  async function both(): Promise<void> {
    await scene.start();
    await scene.send({ Power: 120 }, { Flow: 120 });
    await scene.plant.settle();
    expect(await scene.open('Flow')).toMatchObject({ quiet_because: 'dependency' });
  }

  test('that is shelved is still the cause', async () => {
    await scene.start();
    const until = new Date(scene.plant.clock.now().getTime() + HOUR * 1000).toISOString();
    await (await scene.plant.browser(scene.vera)).data(
      'mutation ($input: ShelveInput!) { shelve(input: $input) { result { uuid } } }',
      { input: { scope: 'rule', targetUuid: scene.station.rules.Power, until, reason: 'Work' } },
    );
    await scene.send({ Power: 120 }, { Flow: 120 });
    await scene.plant.pass(600);
    expect(await scene.notified('Power')).toEqual([]);
    expect(await scene.notified('Flow')).toEqual([]);
    expect(await scene.open('Flow')).toMatchObject({ quiet_because: 'dependency' });
  });

  test('that a person resolves ends the dependency', async () => {
    await both();
    await resolve(await scene.plant.browser(scene.vera), (await scene.open('Power')).uuid);
    await scene.plant.settle();
    expect(await scene.notified('Flow')).toEqual(['reminder Vera']);
  });

  test.each([
    ['disabled', 'updateRule(input: { uuid: $uuid, patch: { enabled: false } })'],
    ['deleted', 'deleteRule(input: { uuid: $uuid })'],
  ])('whose rule is %s ends the dependency', async (_, change) => {
    await both();
    const browser = await scene.plant.browser(scene.vera);
    await browser.data(`mutation ($uuid: UUID!) { ${change} { clientMutationId } }`, {
      uuid: scene.station.rules.Power,
    });
    await scene.plant.pass(20);
    expect(await scene.notified('Flow')).toEqual(['reminder Vera']);
  });

  test('whose dependent is deleted notifies nobody', async () => {
    await both();
    const browser = await scene.plant.browser(scene.vera);
    await browser.data('mutation ($uuid: UUID!) { deleteRule(input: { uuid: $uuid }) { clientMutationId } }', {
      uuid: scene.station.rules.Flow,
    });
    await scene.plant.pass(20);
    expect(await scene.notified('Flow')).toEqual([]);
  });

  test('no longer counts when the dependency is removed', async () => {
    await both();
    const [{ uuid }] = await scene.plant.query('select uuid from tocsin.dependency where tocsin_rule_uuid = $1', [
      scene.station.rules.Flow,
    ]);
    await (await scene.plant.browser(scene.vera)).data(
      'mutation ($input: DeleteDependencyInput!) { deleteDependency(input: $input) { clientMutationId } }',
      { input: { uuid } },
    );
    await scene.plant.settle();
    expect(await scene.notified('Flow')).toEqual(['reminder Vera']);
  });

  test('that is added silences a consequence that is already open', async () => {
    await scene.start({});
    await scene.send({ Power: 120, Flow: 120 });
    await scene.plant.pass(60);
    await scene.depend('Flow', 'Power');
    await scene.plant.pass(HOUR);
    expect(await scene.notified('Flow')).toEqual(['alarm Vera']);
    expect(await scene.kinds('Flow')).toContain('dependency-started');
  });

  test('that ended while no process was running ends the dependency at the next tick', async () => {
    await both();
    await scene.plant.query('update tocsin.alarm set resolved_date = date_time where uuid = $1', [
      (await scene.open('Power')).uuid,
    ]);
    await scene.plant.pass(10);
    expect(await scene.notified('Flow')).toEqual(['reminder Vera']);
  });

  test('with the same message as its consequence silences nobody', async () => {
    await scene.start();
    await scene.plant.query("update tocsin.rule set message = 'Trouble' where uuid = any ($1)", [
      [scene.station.rules.Power, scene.station.rules.Flow],
    ]);
    await scene.send({ Flow: 120 }, { Power: 120 });
    await scene.plant.settle();
    const people = (await scene.plant.messages(scene.station.site)).map(({ person }) => person);
    expect(people).toContain('Vera');
    const [alarm] = await scene.plant.open(scene.station.site);
    expect(alarm.quiet_because).toBeNull();
  });
});
