import { expect, test } from 'vitest';
import { serviceQuery } from '../../harness/database/factories.ts';
import { managedPlant } from '../support/rule-plant.ts';

const { manager, panel, dialog } = managedPlant('/admin/sites');

test('Escape first closes a field’s suggestions, and only then asks about leaving the form', async () => {
  const { app, page, plant } = manager;
  await serviceQuery(app.db, "update tocsin.site set site_type = 'Pump station' where uuid = $1", [plant.site.uuid]);
  await page.goto('/admin/sites?record=new');
  const form = panel('New site');
  await form.getByLabel('Name', { exact: true }).fill('Weir');
  await form.getByLabel('Type').fill('Pu');
  const suggestion = page.getByRole('listbox', { name: 'Type' }).getByRole('option');
  await suggestion.waitFor();
  await page.keyboard.press('Escape');
  await suggestion.waitFor({ state: 'hidden' });
  expect(await dialog('Leave without saving?').count()).toBe(0);
  expect(await form.getByLabel('Type').inputValue()).toBe('Pu');
  await page.keyboard.press('Escape');
  await dialog('Leave without saving?').waitFor();
});
