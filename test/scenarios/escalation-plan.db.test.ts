/** Escalation plans with rotas and several steps. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { linkUser, type UserRow } from '../harness/database/factories.ts';
import { startTestApp } from '../harness/server/app.ts';
import { acknowledge } from './people.ts';
import { addLayer, addOverride, addSteps, type TestLayer, type TestStep } from './plan-plant.ts';
import { Plant, type Station } from './plant.ts';

let plant: Plant;
let [anna, owen, ian, boss]: UserRow[] = [];
beforeAll(async () => {
  plant = await Plant.start({ publicUrl: 'https://tocsin.example' });
  anna = await plant.person({ name: 'Anna' });
  boss = await plant.person({ name: 'Boss' });
});
beforeEach(async () => {
  // A repeat to the same address is suppressed for ten minutes.
  await plant.pass(30 * MINUTE);
  owen = await plant.person({ name: 'Owen' });
  ian = await plant.person({ name: 'Ian' });
});
afterAll(() => plant?.close());

const MINUTE = 60;

/** Opens an alarm of a rule whose second step begins after 20 minutes. */
async function inAlarm(
  steps: readonly TestStep[],
  people: Parameters<Plant['alert']>[2] = {},
  columns: object = {},
): Promise<{ station: Station; alarm: any }> {
  const station = await plant.station();
  await linkUser(plant.db, anna!, station.site);
  await plant.rule(station, { name: 'High level' });
  const times = { escalate_minutes: 20, escalate_interval_minutes: 10, escalate_count: 1, ...columns };
  await addSteps(plant, await plant.alert(station.site, 'High level', people, times), steps);
  await plant.send(station, 120);
  await plant.settle();
  const [alarm] = await plant.open(station.site);
  return { station, alarm };
}

const notified = async ({ site }: Station) =>
  (await plant.messages(site)).map(({ person, kind }) => `${person} ${kind}`);
const sentences = async (alarm: { uuid: string }, kind: string) =>
  (await plant.events(alarm.uuid)).filter((event) => event.kind === kind).map(({ sentence }) => sentence);

describe('a plan of three steps', () => {
  const steps = (layer: TestLayer): TestStep[] => [
    { step: 1, repeats: 1, every: 10, layers: [layer] },
    { step: 3, wait: 20, repeats: 2, every: 15, people: [boss!] },
  ];

  test('notifies each step at its time, until it ends', async () => {
    const layer = await addLayer(plant, [owen!]);
    const { station, alarm } = await inAlarm(steps(layer), { escalate: [ian!] });
    const minutes: string[] = [];
    let before = (await notified(station)).length;
    expect(await notified(station)).toEqual(['Owen alarm']);
    for (let minute = 1; minute <= 120; minute += 1) {
      await plant.pass(MINUTE);
      const now = await notified(station);
      for (const one of now.slice(before)) minutes.push(`${minute} ${one}`);
      before = now.length;
    }
    expect(minutes).toEqual([
      '10 Owen escalation',
      '20 Ian escalation',
      '40 Boss escalation',
      '55 Boss escalation',
      '70 Boss escalation',
    ]);
    expect(await sentences(alarm, 'opened')).toEqual([
      expect.stringContaining(`Step 1: Owen, on call for ${layer.name}.`),
    ]);
    expect(await sentences(alarm, 'escalated')).toEqual([
      `Nobody acknowledged the alarm. Step 1, repeat 1 of 1: Owen, on call for ${layer.name}.`,
      'Nobody acknowledged the alarm. Step 2: Ian.',
      'Nobody acknowledged the alarm. Step 3: Boss.',
      'Nobody acknowledged the alarm. Step 3, repeat 1 of 2: Boss.',
      'Nobody acknowledged the alarm. Step 3, repeat 2 of 2: Boss.',
    ]);
  });

  test('stops when somebody acknowledges the alarm', async () => {
    const { station, alarm } = await inAlarm(steps(await addLayer(plant, [owen!])), { escalate: [ian!] });
    await plant.pass(10 * MINUTE);
    await plant.pass(10 * MINUTE);
    await acknowledge(await plant.browser(anna!), alarm.uuid, 'Rain');
    await plant.pass(120 * MINUTE);
    expect(await notified(station)).toEqual(['Owen alarm', 'Owen escalation', 'Ian escalation']);
  });

  test('goes on after a restart, with the next step only', async () => {
    const { station } = await inAlarm(steps(await addLayer(plant, [owen!])), { escalate: [ian!] });
    await plant.pass(10 * MINUTE);
    await plant.restart(60 * MINUTE);
    await plant.settle();
    expect(await notified(station)).toEqual(['Owen alarm', 'Owen escalation', 'Ian escalation']);
    await plant.pass(20 * MINUTE - 1);
    expect(await notified(station)).toHaveLength(3);
    await plant.pass(1);
    expect((await notified(station)).at(-1)).toBe('Boss escalation');
  });

  test('keeps its steps after a change of the rule alert', async () => {
    const { station } = await inAlarm(steps(await addLayer(plant, [owen!])), { escalate: [ian!] });
    await plant.query('delete from tocsin.rule_step where tocsin_customer_uuid = $1', [plant.customer.uuid]);
    await plant.query('delete from tocsin.rule_step_recipient where tocsin_customer_uuid = $1', [plant.customer.uuid]);
    for (const wait of [10, 10, 20]) await plant.pass(wait * MINUTE);
    expect(await notified(station)).toEqual(['Owen alarm', 'Owen escalation', 'Ian escalation', 'Boss escalation']);
  });

  test('notifies each step once if two processes run it', async () => {
    const { station } = await inAlarm(steps(await addLayer(plant, [owen!])), { escalate: [ian!] });
    const other = await startTestApp({ database: plant.db, clock: plant.clock, config: {} });
    plant.clock.advance(10 * MINUTE * 1000);
    await Promise.all([plant.app.engine?.tick(), other.engine?.tick()]);
    plant.clock.advance(10 * MINUTE * 1000);
    await Promise.all([other.engine?.tick(), plant.app.engine?.tick()]);
    expect(await notified(station)).toEqual(['Owen alarm', 'Owen escalation', 'Ian escalation']);
    await other.close();
  });
});

describe('a rota', () => {
  test('notifies the person who is on call at each repeat', async () => {
    const layer = await addLayer(plant, [owen!, ian!], 15);
    const { station, alarm } = await inAlarm([{ step: 1, repeats: 2, every: 10, layers: [layer] }]);
    await plant.pass(10 * MINUTE);
    await plant.pass(10 * MINUTE);
    expect(await notified(station)).toEqual(['Ian alarm', 'Ian escalation', 'Owen escalation']);
    expect((await sentences(alarm, 'escalated')).at(-1)).toContain(`repeat 2 of 2: Owen, on call for ${layer.name}.`);
  });

  test('notifies the cover of an override', async () => {
    const layer = await addLayer(plant, [owen!]);
    await addOverride(plant, layer, { off: owen!, cover: ian!, minutes: 60 });
    const { station } = await inAlarm([{ step: 1, layers: [layer] }]);
    expect(await notified(station)).toEqual(['Ian alarm']);
  });

  test('with a gap is skipped, and the next step begins at once', async () => {
    const layer = await addLayer(plant, [owen!]);
    await addOverride(plant, layer, { off: owen!, minutes: 600 });
    const { station, alarm } = await inAlarm(
      [
        { step: 2, layers: [layer] },
        { step: 3, wait: 30, people: [boss!] },
      ],
      {
        alert: [anna!],
      },
    );
    await plant.pass(20 * MINUTE);
    expect(await notified(station)).toEqual(['Anna alarm', 'Boss escalation']);
    expect(await sentences(alarm, 'not-notified')).toEqual([
      `Nobody acknowledged the alarm. Step 2: nobody is on call for ${layer.name}. Step 3 begins at once.`,
    ]);
    expect(await sentences(alarm, 'escalated')).toEqual(['Nobody acknowledged the alarm. Step 3: Boss.']);
  });

  test('with a gap in the first step starts the second step when the alarm opens', async () => {
    const layer = await addLayer(plant, [owen!]);
    await addOverride(plant, layer, { off: owen!, minutes: 600 });
    const steps = [{ step: 1, repeats: 3, layers: [layer] }];
    const { station, alarm } = await inAlarm(steps, { escalate: [boss!] });
    expect(await notified(station)).toEqual(['Boss escalation']);
    expect(await sentences(alarm, 'opened')).toEqual([
      expect.stringContaining(`Step 1: nobody is on call for ${layer.name}. Step 2 begins at once.`),
    ]);
  });

  test('is resolved when shelving ends, if the alarm opened shelved', async () => {
    const layer = await addLayer(plant, [owen!, ian!], 60);
    const { station, alarm } = await inAlarm([{ step: 1, layers: [layer] }], { escalate: [boss!] });
    await plant.query(
      `update tocsin.alarm set quiet_because = 'shelved', quiet_until = $2, next_escalation_at = null where uuid = $1`,
      [alarm.uuid, new Date(plant.clock.now().getTime() + 90 * MINUTE * 1000)],
    );
    await plant.pass(90 * MINUTE);
    expect(await notified(station)).toEqual(['Ian alarm', 'Owen reminder']);
    await plant.pass(20 * MINUTE);
    expect((await notified(station)).at(-1)).toBe('Boss escalation');
  });

  test('notifies of the resolution everybody whom it had notified', async () => {
    const layer = await addLayer(plant, [owen!, ian!], 5);
    const { station } = await inAlarm([{ step: 1, repeats: 1, every: 10, layers: [layer] }]);
    await plant.pass(10 * MINUTE);
    await plant.send(station, 50);
    await plant.settle();
    const resolved = (await plant.messages(station.site)).filter(({ kind }) => kind === 'resolve');
    expect(resolved.map(({ person }) => person).sort()).toEqual(['Ian', 'Owen']);
  });

  test('reports a person on call without a usable address', async () => {
    const mute = await plant.person({ name: 'Mute', flags: { email_notification: false } });
    const { alarm } = await inAlarm([{ step: 1, layers: [await addLayer(plant, [mute])] }]);
    expect(await sentences(alarm, 'not-notified')).toEqual([expect.stringMatching(/^Mute is not notified/)]);
  });
});

test('a rule that joins an alarm adds its steps to the plan', async () => {
  const layer = await addLayer(plant, [owen!]);
  const { station } = await inAlarm(
    [
      { step: 1, layers: [layer] },
      { step: 3, wait: 10, people: [boss!] },
    ],
    {
      escalate: [ian!],
    },
  );
  const [alarm] = await plant.open(station.site);
  const other = await plant.another(station);
  await plant.rule(other, { name: 'Second rule', message: alarm.message.replace(/[{}]/g, '') });
  const alert = await plant.alert(station.site, 'Second rule', { escalate: [anna!] }, { escalate_minutes: 5 });
  await addSteps(plant, alert, [{ step: 3, wait: 5, people: [ian!] }]);
  await plant.send(other, 120);
  await plant.settle();
  expect(await plant.open(station.site)).toHaveLength(1);
  await plant.pass(5 * MINUTE);
  await plant.pass(5 * MINUTE);
  const escalated = (await plant.messages(station.site)).filter(({ kind }) => kind === 'escalation');
  expect(escalated.map(({ person, step }) => `${person} ${step}`)).toEqual(['Anna 1', 'Ian 1', 'Boss 2', 'Ian 2']);
});
