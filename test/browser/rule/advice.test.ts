import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { insertRow, serviceQuery } from '../../harness/database/factories.ts';
import { expectGoodLooks } from '../support/accessible.ts';
import { inWindow, stored } from '../support/admin.ts';
import { addRule, createRulePlant, fillHistory, type RulePlant } from '../support/rule-plant.ts';

let app: ConsoleApp;
let page: Page;
let plant: RulePlant;
let rule: { uuid: string };
let unused: { uuid: string };
beforeAll(async () => {
  app = await startConsole();
  plant = await createRulePlant(app);
  rule = await addRule(app, plant, 'Well high', { value_upper: 4 });
  unused = await addRule(app, plant, 'Well empty', { value_lower: 0.1, value_upper: null });
  const own = { tocsin_customer_uuid: app.people.customer.uuid };
  const alert = await insertRow<{ uuid: string }>(app.db, 'tocsin.rule_alert', {
    ...own,
    tocsin_site_uuid: plant.site.uuid,
    tocsin_rule_name: 'Well high',
  });
  for (const [reason, isNuisance] of [
    ['Pump starting', true],
    ['Storm flow', false],
  ]) {
    await insertRow(app.db, 'tocsin.reason', { ...own, rule_uuid: alert.uuid, reason, is_nuisance: isNuisance });
  }
  // One reading per hour for ten days. The level is above the limit for one hour every twelve hours, and once for nine
  // hours.
  const levels = Array.from({ length: 240 }, (_, hour) => {
    if (hour >= 150 && hour < 159) return 4.6;
    return hour % 12 === 6 ? 5.2 : 2 + (hour % 5) / 10;
  });
  await fillHistory(app, plant.sensor, levels);
  await acknowledge();
  page = await app.open(`/admin/rules?record=${rule.uuid}`, { as: app.people.manager, time: app.clock.now() });
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

const { toast } = inWindow(() => page);
const region = (name: string) => page.getByRole('region', { name, exact: true });

async function acknowledge(): Promise<void> {
  const alarms = await serviceQuery<{ uuid: string; hours: number }>(
    app.db,
    'select uuid, extract(epoch from resolved_date - date_time) / 3600 as hours from tocsin.alarm where rule_uuid = $1',
    [rule.uuid],
  );
  const manager = await app.browser(app.people.manager);
  for (const isLong of [false, true]) {
    const uuids = alarms.filter(({ hours }) => Number(hours) > 2 === isLong).map(({ uuid }) => uuid);
    await manager.data(
      'mutation ($input: AcknowledgeAlarmsInput!) { acknowledgeAlarms(input: $input) { clientMutationId } }',
      { input: { uuids, reason: isLong ? 'Storm flow' : 'Pump starting' } },
    );
  }
}

test('shows what the proposal avoids and keeps', async () => {
  await page.getByRole('link', { name: 'Show advice' }).click();
  await page.getByRole('heading', { name: 'Advice: Well high' }).waitFor();
  await region('Alarms of this rule').getByText('95 %').waitFor();
  await region('Alarms of this rule').getByText('Pump starting').waitFor();
  const proposal = region('Proposal');
  await proposal.getByRole('row', { name: /Upper limit 4 unchanged/ }).waitFor();
  await proposal.getByRole('row', { name: /Debounce 0 s 1 h 30 min/ }).waitFor();
  const figures = region('Before and after');
  await figures.getByText('instead of 20').waitFor();
  await figures.getByText('open up to 1 h 30 min later').waitFor();
  await figures.getByText('240 readings on', { exact: false }).waitFor();
  await expectGoodLooks(page);
});

test('shows other settings when they are chosen, with links to the real alarms that they miss', async () => {
  const tried = region('Settings tried');
  await tried.getByRole('radio').last().check();
  await region('Chosen settings').getByText('These settings miss real alarms.').waitFor();
  const link = region('Before and after').getByRole('link', { name: /Missed real alarm on/ });
  const [real] = await stored(app, 'alarm', { rule_uuid: rule.uuid, reason: 'Storm flow' });
  expect(await link.getAttribute('href')).toBe(`/dashboard/alarms/${real.uuid}`);
  await tried.getByRole('radio').first().check();
  await region('Proposal').waitFor();
});

test('opens the editor with the proposal and its simulation, and saving makes the next version', async () => {
  await region('Proposal').getByRole('button', { name: 'Try it' }).click();
  await page.getByText('The fields contain the values from the advice. Nothing changes until you save them.').waitFor();
  expect(await page.getByLabel('Debounce').inputValue()).toBe('5400');
  expect(await page.getByLabel('Upper limit').first().inputValue()).toBe('4');
  expect(await page.getByRole('radio', { name: '12 weeks' }).isChecked()).toBe(true);
  const simulated = region('Test on past data').getByText('Simulated alarms').locator('..');
  await simulated.getByText('1', { exact: true }).waitFor();
  const missed = region('Test on past data').getByText('Missed', { exact: true }).locator('..');
  await missed.getByText('0', { exact: true }).waitFor();
  expect(await stored(app, 'rule', { uuid: rule.uuid })).toMatchObject([{ version: 1, debounce: 0 }]);
  await page.getByRole('button', { name: 'Save as version 2' }).click();
  await toast('Well high was saved.').waitFor();
  await page.getByText('Version 2 is live').waitFor();
  expect(await stored(app, 'rule', { uuid: rule.uuid })).toMatchObject([{ version: 2, debounce: 5400 }]);
});

test('says why there is no advice, and what to do', async () => {
  await goTo(page, `/admin/rules?record=${unused.uuid}&view=advice`);
  await page.getByText('No alarms in this period').waitFor();
  await page.getByText('The rule opened no alarm in this period. Choose a longer period.').waitFor();
  await serviceQuery(app.db, 'update tocsin.reason set is_nuisance = false');
  await goTo(page, `/admin/rules?record=${rule.uuid}&view=advice`);
  await page.getByText('No nuisance alarms in this period').waitFor();
  await page.getByRole('link', { name: 'Show reasons' }).click();
  await page.getByText('Pump starting').waitFor();
});
