import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsoleApp, startConsole, troubles } from '../harness/console.ts';
import { linkUser } from '../harness/factories.ts';
import { addRule, createRulePlant, type RulePlant } from './rule-plant.ts';

let app: ConsoleApp;
let plant: RulePlant;
beforeAll(async () => {
  app = await startConsole();
  plant = await createRulePlant(app);
});
afterAll(async () => {
  await app?.close();
  expect(troubles.splice(0)).toEqual([]);
});

test('the audit trail is narrowed by person, noun and day, in either order, with before and after', async () => {
  const rule = await addRule(app, plant, 'Watched');
  const manager = await app.browser(app.people.manager);
  await manager.data(
    'mutation ($uuid: UUID!) { updateRule(input: { uuid: $uuid, patch: { enabled: false } }) { rule { uuid } } }',
    { uuid: rule.uuid },
  );
  const trail = await app.open('/admin/audits', { as: app.people.owner, time: app.clock.now() });
  await trail.locator('tr[data-row]').first().waitFor();
  await trail.getByRole('combobox', { name: 'Who' }).selectOption({ label: app.people.manager.display_name });
  await trail.getByRole('combobox', { name: 'What' }).selectOption({ label: 'Rule' });
  await trail.getByText('Newest first').click();
  await trail.locator('tr[data-row]').first().getByText('Rule changed').waitFor();
  await trail.locator('tr[data-row]').first().click();
  const changes = trail.getByRole('table', { name: 'Changed fields' });
  await changes.getByRole('row', { name: 'Enabled Yes No' }).waitFor();
  await trail.getByLabel('To', { exact: true }).fill('2026-03-01');
  await trail
    .getByText(/No .* match|Nothing/i)
    .first()
    .waitFor();
  await app.leave(trail);
});

test('a link, which has no name of its own, is called by the person and the site it joins', async () => {
  await linkUser(app.db, app.people.operator, plant.site);
  const trail = await app.open('/admin/audits?noun=site_user', { as: app.people.owner, time: app.clock.now() });
  const row = trail.locator('tr[data-row]').filter({ hasText: 'Site-user link created' }).first();
  await row.getByRole('cell', { name: `${app.people.operator.display_name}, Kelder Road`, exact: true }).waitFor();
  await app.leave(trail);
});
