/** While the alarm of a cause is open, alarms of its consequences are recorded under it and notify nobody. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Scene } from './dependency-plant.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene?.plant.close());

const HOUR = 3600;

describe('a consequence', () => {
  test.each([
    ['after its cause', [{ Power: 120 }, { Flow: 120 }]],
    ['before its cause', [{ Flow: 120 }, { Power: 120 }]],
    ['together with its cause', [{ Power: 120, Flow: 120 }]],
    ['before its cause opens for the second time', [{ Power: 120 }, { Power: 50 }, { Flow: 120 }, { Power: 120 }]],
  ])('that opens %s in the same request notifies nobody and does not escalate', async (_, frames) => {
    await scene.start();
    await scene.send(...frames);
    await scene.plant.pass(HOUR);
    expect(await scene.notified('Flow')).toEqual([]);
    expect(await scene.notified('Power')).toContain('alarm Vera');
    const [cause, consequence] = [await scene.open('Power'), await scene.open('Flow')];
    expect(consequence).toMatchObject({
      quiet_because: 'dependency',
      quiet_until: null,
      opened_quiet: 'dependency',
      quiet_source: cause.uuid,
      tocsin_cause_alarm_uuid: cause.uuid,
      next_escalation_at: null,
    });
    expect(cause.quiet_because).toBeNull();
    expect(await scene.kinds('Flow')).toEqual(['opened', 'not-notified']);
    const [, event] = await scene.plant.events(consequence.uuid);
    expect(event?.sentence).toBe(
      `Nobody was notified, because it is a consequence of "Power" at ${scene.station.site.name}.`,
    );
  });

  test('that opens together with a cause that joins an open alarm notifies nobody', async () => {
    const { rules } = await scene.start();
    await scene.plant.query("update tocsin.rule set message = 'No supply' where uuid = any ($1)", [
      [rules.Power, rules.Pump],
    ]);
    await scene.send({ Pump: 120 });
    await scene.plant.settle();
    const shared = await scene.open('Pump');
    await scene.send({ Power: 120, Flow: 120 });
    await scene.plant.settle();
    expect(await scene.open('Power')).toBeUndefined();
    expect(await scene.open('Flow')).toMatchObject({ opened_quiet: 'dependency', quiet_source: shared.uuid });
    expect(await scene.notified('Flow')).toEqual([]);
  });

  test('that is still open when its cause ends notifies at once, and then escalates', async () => {
    await scene.start();
    await scene.send({ Power: 120 }, { Flow: 120 });
    await scene.plant.pass(60);
    await scene.send({ Power: 50 });
    await scene.plant.settle();
    expect(await scene.notified('Flow')).toEqual(['reminder Vera']);
    const message = (await scene.plant.messages(scene.station.site)).find(({ kind }) => kind === 'reminder');
    expect(message?.text).toContain(`Still open after "Power" at ${scene.station.site.name} ended.`);
    expect(await scene.kinds('Flow')).toEqual(['opened', 'not-notified', 'dependency-ended']);
    await scene.plant.pass(15 * 60);
    expect(await scene.notified('Flow')).toEqual(['reminder Vera', 'escalation Olga']);
    await scene.send({ Flow: 50 });
    expect((await scene.notified('Flow')).slice(2).toSorted()).toEqual(['resolve Olga', 'resolve Vera']);
  });

  test('that ends with its cause notifies nobody at all', async () => {
    await scene.start();
    await scene.send({ Power: 120, Flow: 120 });
    await scene.plant.pass(60);
    await scene.send({ Power: 50 }, { Flow: 50 });
    await scene.plant.pass(HOUR);
    expect(await scene.notified('Flow')).toEqual([]);
    expect((await scene.notified('Power')).filter((one) => one.startsWith('resolve'))).not.toEqual([]);
  });

  test('that was notified becomes quiet when its cause opens', async () => {
    await scene.start();
    await scene.send({ Flow: 120 });
    await scene.plant.pass(60);
    expect(await scene.notified('Flow')).toEqual(['alarm Vera']);
    await scene.send({ Power: 120 });
    await scene.plant.pass(HOUR);
    expect(await scene.notified('Flow')).toEqual(['alarm Vera']);
    const consequence = await scene.open('Flow');
    expect(consequence).toMatchObject({ quiet_because: 'dependency', opened_quiet: null, next_escalation_at: null });
    const started = (await scene.plant.events(consequence.uuid)).find(({ kind }) => kind === 'dependency-started');
    expect(started?.sentence).toBe(
      `The alarm is a consequence of "Power" at ${scene.station.site.name}. Nobody is notified until that alarm ends.`,
    );
    await scene.send({ Power: 50 });
    await scene.plant.settle();
    expect(await scene.notified('Flow')).toEqual(['alarm Vera', 'reminder Vera']);
  });

  test('of a critical rule is quiet too', async () => {
    await scene.start();
    await scene.plant.query("update tocsin.rule set priority = 'critical' where uuid = $1", [scene.station.rules.Flow]);
    await scene.send({ Power: 120 }, { Flow: 120 });
    await scene.plant.pass(HOUR);
    expect(await scene.notified('Flow')).toEqual([]);
  });

  test('is on the page of its cause, and names it', async () => {
    await scene.start();
    await scene.send({ Power: 120 }, { Flow: 120 });
    await scene.plant.settle();
    const [cause, consequence] = [await scene.open('Power'), await scene.open('Flow')];
    const data = await (await scene.plant.browser(scene.vera)).data(
      `query ($cause: UUID!, $consequence: UUID!) {
         cause: alarm(uuid: $cause) { consequences { nodes { uuid } } }
         consequence: alarm(uuid: $consequence) { causeName notNotifiedBecause causeAlarm { uuid } }
         explainAlarm(uuid: $consequence) { stages { name held { sentence } } } }`,
      { cause: cause.uuid, consequence: consequence.uuid },
    );
    expect(data.cause.consequences.nodes).toEqual([{ uuid: consequence.uuid }]);
    expect(data.consequence).toEqual({
      causeName: `"Power" at ${scene.station.site.name}`,
      notNotifiedBecause: 'dependency',
      causeAlarm: { uuid: cause.uuid },
    });
    const stage = data.explainAlarm.stages.find(({ name }: { name: string }) => name === 'dependency');
    expect(stage.held).toHaveLength(1);
  });
});

describe('a chain of causes', () => {
  test('records every consequence under the root cause, even if the rule between is not in alarm', async () => {
    await scene.start({ Flow: ['Pump'], Pump: ['Power'] });
    await scene.send({ Power: 120 }, { Flow: 120 });
    await scene.plant.settle();
    const power = await scene.open('Power');
    expect((await scene.open('Flow')).quiet_source).toBe(power.uuid);
    await scene.send({ Pump: 120 });
    await scene.plant.settle();
    expect((await scene.open('Pump')).quiet_source).toBe(power.uuid);
    expect((await scene.open('Flow')).quiet_source).toBe(power.uuid);
  });

  test('passes consequences on when the root cause ends', async () => {
    await scene.start({ Flow: ['Pump'], Pump: ['Power'] });
    await scene.send({ Power: 120, Pump: 120, Flow: 120 });
    await scene.plant.settle();
    await scene.send({ Power: 50 });
    await scene.plant.settle();
    const pump = await scene.open('Pump');
    expect(pump.quiet_because).toBeNull();
    expect(await scene.open('Flow')).toMatchObject({ quiet_because: 'dependency', quiet_source: pump.uuid });
    expect(await scene.notified('Pump')).toEqual(['reminder Vera']);
    expect(await scene.notified('Flow')).toEqual([]);
    await scene.send({ Pump: 50 });
    await scene.plant.settle();
    expect(await scene.notified('Flow')).toEqual(['reminder Vera']);
  });

  test('moves consequences under a root cause that opens later', async () => {
    await scene.start({ Flow: ['Pump'], Pump: ['Power'] });
    await scene.send({ Pump: 120 });
    await scene.send({ Flow: 120 });
    await scene.plant.settle();
    expect((await scene.open('Flow')).quiet_source).toBe((await scene.open('Pump')).uuid);
    await scene.send({ Power: 120 });
    await scene.plant.settle();
    const power = await scene.open('Power');
    expect((await scene.open('Pump')).quiet_source).toBe(power.uuid);
    expect((await scene.open('Flow')).quiet_source).toBe(power.uuid);
  });

  test('with two causes ends when both have ended', async () => {
    await scene.start({ Flow: ['Pump', 'Power'] });
    await scene.send({ Power: 120, Pump: 120 }, { Flow: 120 });
    await scene.plant.settle();
    await scene.send({ Power: 50 });
    await scene.plant.settle();
    expect(await scene.notified('Flow')).toEqual([]);
    expect((await scene.open('Flow')).quiet_source).toBe((await scene.open('Pump')).uuid);
    await scene.send({ Pump: 50 });
    await scene.plant.settle();
    expect(await scene.notified('Flow')).toEqual(['reminder Vera']);
  });
});
