import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { createSite, serviceQuery } from '../../harness/database/factories.ts';
import { expectAccessible, expectGoodLooks } from '../support/accessible.ts';
import { inWindow } from '../support/admin.ts';
import { sendAll, settle } from '../support/alarm-plant.ts';
import { addRule, createRulePlant, type RulePlant } from '../support/rule-plant.ts';

let app: ConsoleApp;
let page: Page;
let plant: RulePlant;
let power: { uuid: string };
let pump: { uuid: string };
beforeAll(async () => {
  app = await startConsole();
  plant = await createRulePlant(app);
  power = await addRule(app, plant, 'Mains power');
  pump = await addRule(app, plant, 'Pump 1', { tocsin_datapoint_uuid: plant.sensor.channels[1]?.datapointUuid });
  page = await app.open('/admin/rules', { as: app.people.manager, time: app.clock.now() });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const { toast, save, pick } = inWindow(() => page);
const causes = () => page.locator('[data-path="causes"]');

/** Adds a cause in the open form. */
const choose = (name: string) => pick(causes(), 'Depends on', name, `${name}, Kelder Road`);

describe('a cause', () => {
  test('is chosen in the form of a rule, and is there after saving', async () => {
    await goTo(page, `/admin/rules?record=${pump.uuid}`);
    await choose('Mains power');
    await expectAccessible(page);
    await save(page);
    await toast('Pump 1 was saved.').waitFor();
    await page.reload();
    await causes().getByText('Mains power, Kelder Road').waitFor();
    const rows = await serviceQuery(app.db, 'select cause_uuid from tocsin.dependency where dependent_uuid = $1', [
      pump.uuid,
    ]);
    expect(rows).toEqual([{ cause_uuid: power.uuid }]);
  });

  test('that would close a cycle is refused at the field with the path', async () => {
    await goTo(page, `/admin/rules?record=${power.uuid}`);
    await choose('Pump 1');
    await save(page);
    await causes()
      .getByText('This would create a cycle: Mains power → Pump 1 → Mains power. Remove one of these causes.')
      .waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  test('lists its consequences, and a consequence links to its cause', async () => {
    await sendAll(app, { ...plant, ruleName: '' }, { 1: 12, 2: 12 }, 0);
    await settle(app);
    const [{ uuid: consequence }] = (await serviceQuery<{ uuid: string }>(
      app.db,
      'select uuid from tocsin.alarm where rule_uuid = $1 and resolved_date is null',
      [pump.uuid],
    )) as [{ uuid: string }];
    await goTo(page, '/dashboard/alarms');
    await expect
      .poll(() => page.locator('tbody th').allTextContents())
      .toContain('Consequences 1, not counted as open');
    await goTo(page, `/dashboard/alarms/${consequence}`);
    await page.getByText('Consequence, minor').waitFor();
    const note = page.getByRole('region', { name: 'Cause' });
    await note.getByText('Nobody is notified of this alarm while its cause is in alarm.').waitFor();
    await expectGoodLooks(page);
    await note.getByRole('link', { name: '"Mains power" at Kelder Road' }).click();
    await page.getByRole('heading', { name: /^Consequences/ }).waitFor();
    await page.getByRole('link', { name: /Pump 1/ }).waitFor();
    await expectGoodLooks(page);
  });

  test('of a site is chosen in the form of the site and removed again', async () => {
    const other = await createSite(app.db, { customer: app.people.customer, name: 'Low Weir' });
    const rows = () =>
      serviceQuery(app.db, 'select cause_uuid from tocsin.dependency where dependent_uuid = $1', [other.uuid]);
    await goTo(page, `/admin/sites?record=${other.uuid}`);
    await choose('Mains power');
    await save(page);
    await toast('Low Weir was saved.').waitFor();
    expect(await rows()).toEqual([{ cause_uuid: power.uuid }]);
    await goTo(page, `/admin/sites?record=${other.uuid}`);
    await causes().getByRole('button', { name: 'Remove Mains power, Kelder Road' }).click();
    await save(page);
    await expect.poll(rows).toEqual([]);
  });
});
