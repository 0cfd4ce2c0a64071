/** Maintenance windows that several people or processes handle at the same time. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personAccess } from '../../server/access.ts';
import { HandClock } from '../../server/platform/clock.ts';
import { testDatabaseKind } from '../harness/database/database.ts';
import { startTestApp } from '../harness/server/app.ts';
import { sendAll } from './flood-plant.ts';
import { HOUR, MINUTE, PlannedPlant } from './windows.ts';

let planned: PlannedPlant;
beforeAll(async () => {
  planned = await PlannedPlant.start();
});
afterAll(() => planned?.plant.close());

// The embedded database has one connection, so two transactions never run at the same time.
test.runIf(testDatabaseKind() === 'postgres')(
  'one of two overlapping windows that are saved at the same time is refused',
  async () => {
    const { plant, vera } = planned;
    const { site } = await plant.station();
    const { uuid, level } = vera;
    const access = personAccess({ uuid, customerUuid: plant.customer.uuid, level, partnerAccount: false }, plant.clock);
    const start = plant.clock.now().getTime() + HOUR * 1000;
    const plan = JSON.stringify({ occurrences: [[start, start + HOUR * 1000]], until: start });
    const save = (work: () => Promise<unknown>) =>
      plant.db.transaction(access, async (tx) => {
        await tx.query("select set_config('tocsin.maintenance_plan', $1, true)", [plan]);
        await tx.query(
          `select from tocsin.save_maintenance_window('Pump service', 'site', $1, 'notifications', 'once', $2, '08:00', '09:00')`,
          [site.uuid, new Date(start)],
        );
        await work();
      });
    const { promise: isSaved, resolve: tellSaved } = Promise.withResolvers<void>();
    const first = save(async () => {
      tellSaved();
      await delay(300);
    });
    await isSaved;
    await expect(save(async () => {})).rejects.toThrow('Overlaps "Pump service"');
    await first;
  },
);

test('an alarm that a process opens by a clock slightly behind, after the window began, becomes quiet', async () => {
  const { plant } = planned;
  const station = await planned.stationWithRule();
  await planned.save(planned.windowOf('site', station.site.uuid, 0, HOUR));
  const [{ starts_at: start }] = (await plant.query(
    'select starts_at from tocsin.maintenance_occurrence where target_uuid = $1',
    [station.site.uuid],
  )) as [{ starts_at: Date }];
  plant.clock.advance(start.getTime() - plant.clock.now().getTime() + 1000);
  await plant.settle();
  const clock = new HandClock(new Date(start.getTime() - 1000));
  const behind = await startTestApp({ database: plant.db, clock, config: { processName: 'behind' } });
  try {
    await sendAll(plant, { ...station, rules: [] }, 120, [1, 1], behind);
  } finally {
    await behind.close();
  }
  expect(await plant.open(station.site)).toMatchObject([{ quiet_because: null }]);
  await plant.pass(5);
  expect(await plant.open(station.site)).toMatchObject([{ quiet_because: 'maintenance' }]);
  await plant.pass(20 * MINUTE);
  expect((await planned.notified(station)).filter((one) => one.startsWith('escalation'))).toEqual([]);
});
