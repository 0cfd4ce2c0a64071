import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../../harness/browser/console.ts';
import { goTo } from '../../harness/browser/settled.ts';
import { insertRow, serviceQuery } from '../../harness/database/factories.ts';
import { expectGoodLooks } from '../support/accessible.ts';
import { inWindow, stored } from '../support/admin.ts';
import { addRule, createRulePlant, fillHistory, type RulePlant } from '../support/rule-plant.ts';

const MINUTE = 60_000;

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
  // A reading every two minutes. The level is above the limit for two minutes every 24 minutes, and once for 18
  // minutes.
  const levels = Array.from({ length: 240 }, (_, hour) => {
    if (hour >= 150 && hour < 159) return 4.6;
    return hour % 12 === 6 ? 5.2 : 2 + (hour % 5) / 10;
  });
  await fillHistory(app, plant.sensor, levels, 2 * MINUTE);
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
  const alarms = await serviceQuery<{ uuid: string; minutes: number }>(
    app.db,
    'select uuid, extract(epoch from resolved_date - date_time) / 60 as minutes from tocsin.alarm where rule_uuid = $1',
    [rule.uuid],
  );
  const manager = await app.browser(app.people.manager);
  for (const isLong of [false, true]) {
    const uuids = alarms.filter(({ minutes }) => Number(minutes) > 4 === isLong).map(({ uuid }) => uuid);
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
  await proposal.getByRole('row', { name: /Debounce 0 s 3 min/ }).waitFor();
  const figures = region('Before and after');
  await figures.getByText('instead of 20').waitFor();
  await figures.getByText('open up to 3 min later').waitFor();
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

test('dismisses the advice with a note, and takes it up again', async () => {
  await goTo(page, `/admin/rules?record=${rule.uuid}&view=advice`);
  await page.getByRole('button', { name: 'Dismiss advice' }).click();
  const dialog = page.getByRole('dialog', { name: 'Dismiss advice' });
  await dialog.getByRole('button', { name: 'Dismiss advice' }).click();
  await dialog.getByText('Enter why you do not want this advice.').waitFor();
  await dialog.getByLabel('Note').fill('The pump is exchanged in May.');
  await dialog.getByRole('button', { name: 'Dismiss advice' }).click();
  await toast('The advice was dismissed.').waitFor();
  const dismissed = region('Dismissed advice');
  await dismissed.getByText('The pump is exchanged in May.', { exact: false }).waitFor();
  await expectGoodLooks(page);
  await dismissed.getByRole('button', { name: 'Take up again' }).click();
  await toast('The advice is shown again.').waitFor();
  await page.getByRole('button', { name: 'Dismiss advice' }).waitFor();
});

test('says how many nuisance acknowledgements are missing', async () => {
  const [first, ...others] = await stored(app, 'alarm', { rule_uuid: rule.uuid, reason: 'Pump starting' });
  const uuids = others.map(({ uuid }: { uuid: string }) => uuid);
  await serviceQuery(app.db, 'update tocsin.alarm set reason = null, acknowledge_json = null where uuid = any ($1)', [
    uuids,
  ]);
  await page.reload();
  await page.getByText('2 more acknowledgements with a nuisance reason are needed.', { exact: false }).waitFor();
  await serviceQuery(app.db, 'update tocsin.alarm set reason = $2, acknowledge_json = $3 where uuid = any ($1)', [
    ...[uuids, first.reason, JSON.stringify(first.acknowledge_json)],
  ]);
});

test('opens the editor with the proposal and its simulation, and saving makes the next version', async () => {
  await page.reload();
  await region('Proposal').getByRole('button', { name: 'Try it' }).click();
  await page.getByText('The fields contain the values from the advice. Nothing changes until you save them.').waitFor();
  expect(await page.getByLabel('Debounce').inputValue()).toBe('180');
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
  expect(await stored(app, 'rule', { uuid: rule.uuid })).toMatchObject([{ version: 2, debounce: 180 }]);
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
