/** A site with two data points and a recipient, for tests of rules. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { createSite, createUser, insertRow, type SiteRow } from '../../harness/database/factories.ts';
import { createSensor, type TestSensor } from '../../harness/device/devices.ts';
import { inWindow } from './admin.ts';

const HOUR = 3_600_000;

export interface RulePlant {
  site: SiteRow;
  sensor: TestSensor;
}

export async function createRulePlant(app: ConsoleApp): Promise<RulePlant> {
  const { customer } = app.people;
  const site = await createSite(app.db, { customer, name: 'Kelder Road' });
  const sensor = await createSensor(app.db, { customer, site, channels: [{ name: 'Level' }, { name: 'Flow' }] });
  await createUser(app.db, { customer, level: 20, displayName: 'Ruth Adeyemi' });
  return { site, sensor };
}

/** Before the tests of a file, creates the site and opens a manager's window. */
export function managedPlant(path: string) {
  const manager = {} as { app: ConsoleApp; page: Page; plant: RulePlant };
  beforeAll(async () => {
    manager.app = await startConsole();
    manager.plant = await createRulePlant(manager.app);
    manager.page = await manager.app.open(path, { as: manager.app.people.manager });
  });
  afterAll(async () => {
    await manager.app?.close();
    expect(troubles.splice(0)).toEqual([]);
  });
  return { manager, ...inWindow(() => manager.page) };
}

export function addRule(
  app: ConsoleApp,
  { site, sensor }: RulePlant,
  name: string,
  columns: Readonly<Record<string, unknown>> = {},
): Promise<{ uuid: string }> {
  return insertRow(app.db, 'tocsin.rule', {
    tocsin_customer_uuid: app.people.customer.uuid,
    tocsin_site_uuid: site.uuid,
    tocsin_asset_uuid: sensor.assetUuid,
    tocsin_datapoint_uuid: sensor.channels[0]?.datapointUuid,
    name,
    value_upper: 9,
    ...columns,
  });
}

/** Stores readings of the first channel until now, oldest first, one every `every` milliseconds. */
export async function fillHistory(
  app: ConsoleApp,
  sensor: TestSensor,
  levels: readonly number[],
  every = HOUR,
): Promise<void> {
  const pipeline = app.gateway?.pipeline;
  const device = await pipeline?.identify(sensor.uid, sensor.token);
  if (!pipeline || !device?.ok) throw new Error('The device is not known.');
  const now = app.clock.now().getTime();
  const answers = levels.map((level, index) => {
    const body = Buffer.from(JSON.stringify({ time: now - (levels.length - index) * every, 1: level }));
    return pipeline.receive(device, { protocol: 'http', body });
  });
  for (const answer of await Promise.all(answers)) if (!answer.ok) throw new Error(answer.sentence);
  await pipeline.behind.flush();
}
