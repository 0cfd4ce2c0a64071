/** Readings open and resolve alarms. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Plant } from './plant.ts';

let plant: Plant;
beforeAll(async () => {
  plant = await Plant.start();
});
afterAll(() => plant?.close());

test('a value outside its limits for the debounce opens one alarm, and one inside for the debounce resolves it', async () => {
  const station = await plant.station();
  const anna = await plant.person({ name: 'Anna Operator' });
  const rule = await plant.rule(station, { debounce: 60, name: 'High level' });
  await plant.alert(station.site, 'High level', { alert: [anna], resolve: [anna] });
  await plant.send(station, 50);
  await plant.pass(60);
  await plant.send(station, 120);
  expect(await plant.open(station.site)).toEqual([]);
  await plant.pass(59);
  expect(await plant.open(station.site)).toEqual([]);
  await plant.pass(1);
  const [alarm] = await plant.open(station.site);
  expect(alarm).toMatchObject({
    message: 'High level',
    severity: 'minor',
    value: 120,
    rule_uuid: rule.uuid,
    source: 'limits',
  });
  await plant.pass(60);
  const back = plant.clock.now().toISOString().slice(0, 16).replace('T', ' ');
  await plant.send(station, 80);
  await plant.pass(30);
  await plant.send(station, 70);
  await plant.pass(30);
  expect(await plant.open(station.site)).toEqual([]);
  expect(
    (await plant.transitions(rule.uuid)).map(({ to_phase, because, value }) => [to_phase, because, value]),
  ).toEqual([
    ['pending', 'above-upper', 120],
    ['open', 'stayed-out', 120],
    ['clearing', 'back-inside', 80],
    ['normal', 'stayed-inside', 80],
  ]);
  expect((await plant.messages(station.site)).map(({ person, kind, state }) => [person, kind, state])).toEqual([
    ['Anna Operator', 'alarm', 'sent'],
    ['Anna Operator', 'resolve', 'sent'],
  ]);
  // The text of the resolution contains the first value inside the limits. It contains neither the value that opened
  // the alarm nor a later value.
  expect((await plant.messages(station.site))[1]?.text).toBe(
    `RESOLVED (minor): ${station.site.name}: High level. After 2 min: inside its limits since ${back} (80)`,
  );
  expect((await plant.events(alarm.uuid)).map(({ kind }) => kind)).toEqual(['opened', 'clearing', 'resolved']);
});

test('a brief spike opens no alarm', async () => {
  const station = await plant.station();
  const rule = await plant.rule(station, { debounce: 60 });
  await plant.send(station, 120);
  await plant.pass(30);
  await plant.send(station, 80);
  await plant.pass(600);
  expect(await plant.alarms(station.site)).toEqual([]);
  expect((await plant.transitions(rule.uuid)).map(({ because }) => because)).toEqual([
    'above-upper',
    'back-before-debounce',
  ]);
});

test('a data point has state, value, colour and text of the same reading when the device gets its response', async () => {
  const texts = { channel_low_text: 'off', channel_high_text: 'failed' };
  const colors = { channel_normal_color: '#00aa00', channel_alarm_color: '#cc0000' };
  const digital = await plant.station({
    sensorType: 1,
    channels: [{ name: 'Pump', channel_alarm_condition: 1, ...texts, ...colors }],
  });
  const analogue = await plant.station();
  await plant.rule(analogue, { value_upper: 100 });
  const manager = await plant.browser(await plant.person({ level: 5 }));
  const shown = async () => {
    const { assetDatapoints } = await manager.data(
      `query ($uuids: [UUID!]!) { assetDatapoints(filter: { uuid: { in: $uuids } }) {
         nodes { uuid status latestValue lastUpdated datapointColor datapointTitleText } } }`,
      { uuids: [digital.datapointUuid, analogue.datapointUuid] },
    );
    return [digital, analogue].map(({ datapointUuid }) =>
      assetDatapoints.nodes.find(({ uuid }: any) => uuid === datapointUuid),
    );
  };
  /**
   * Expects the value, state and time of a data point to belong to the same reading, even before write-behind stores
   * them.
   */
  const expectWhole = async () => {
    const [pump, level] = await shown();
    if (pump.lastUpdated !== null) {
      const high = pump.latestValue === 1;
      expect(pump).toMatchObject({
        status: high ? 2 : 1,
        datapointColor: high ? '#cc0000' : '#00aa00',
        datapointTitleText: high ? 'failed' : 'off',
      });
    }
    if (level.lastUpdated !== null) expect(level.status, `${level.latestValue}`).toBe(level.latestValue > 100 ? 2 : 1);
    // The state of a data point is 0 (no data) until its first value is written.
    for (const { status, lastUpdated } of [pump, level]) expect(status === 0).toBe(lastUpdated === null);
  };
  const stations = { digital, analogue };
  // Each step is either a frame with readings one second apart, or a flush of write-behind.
  const act = fc.oneof(
    fc.record({
      to: fc.constant('digital' as const),
      values: fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      to: fc.constant('analogue' as const),
      values: fc.array(fc.constantFrom(20, 99, 101, 150), { minLength: 1, maxLength: 3 }),
    }),
    fc.constant('write behind' as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 12 }), async (acts) => {
      for (const one of acts) {
        plant.clock.advance(10_000);
        if (one === 'write behind') await plant.app.gateway?.pipeline.behind.flush();
        else
          await plant.frame(
            stations[one.to],
            one.values.map((value, index) => [one.values.length - index, value] as const),
          );
        await expectWhole();
      }
    }),
    { numRuns: 8, seed: 28, endOnFailure: true },
  );
});
