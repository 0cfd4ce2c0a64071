/** Copies of sites whose rules depend on causes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertRow, serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp } from '../harness/server/app.ts';
import { buildStation, type Station, unique } from './pumps.ts';

let app: TestApp;
let staff: Staff;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
});
afterAll(() => app?.close());

test('a copy of a site depends on the copies of causes at the site, and on the same causes elsewhere', async () => {
  const own = { tocsin_customer_uuid: staff.customer.uuid };
  const plant = await buildStation(app.db, staff.customer);
  const elsewhere = await buildStation(app.db, staff.customer);
  const rule = ({ site, asset, datapoint }: Station, name: string) =>
    insertRow(app.db, 'tocsin.rule', {
      ...{ ...own, name, value_upper: 4, tocsin_site_uuid: site.uuid },
      ...{ tocsin_asset_uuid: asset.uuid, tocsin_datapoint_uuid: datapoint.uuid },
    });
  const [power, pump, grid] = [
    await rule(plant, 'Power'),
    await rule(plant, 'Pump'),
    await rule(elsewhere, 'Grid power'),
  ];
  const fact = { fact: plant.datapoint.uuid, operator: 'greaterThan', value: 3 };
  const both = await insertRow(app.db, 'tocsin.rules_json', {
    ...{ ...own, rule_name: 'Both', site_id: plant.site.site_id },
    rule_json: JSON.stringify({ conditions: { all: [fact] }, event: { type: 'alarm' } }),
  });
  const dependencies = [
    { tocsin_rule_uuid: pump.uuid, cause_rule_uuid: power.uuid },
    { tocsin_rule_uuid: power.uuid, cause_rule_uuid: grid.uuid },
    { tocsin_rules_json_uuid: both.uuid, cause_rule_uuid: power.uuid },
    { tocsin_rule_uuid: pump.uuid, cause_rules_json_uuid: both.uuid },
    { tocsin_rule_uuid: pump.uuid, cause_site_uuid: plant.site.uuid },
    { tocsin_site_uuid: plant.site.uuid, cause_site_uuid: elsewhere.site.uuid },
    { tocsin_rule_uuid: grid.uuid, cause_site_uuid: elsewhere.site.uuid },
  ];
  for (const dependency of dependencies) await insertRow(app.db, 'tocsin.dependency', { ...own, ...dependency });
  const { copySite } = await (await app.browser(staff.manager)).data(
    'mutation ($input: CopySiteInput!) { copySite(input: $input) { site { uuid } } }',
    { input: { uuid: plant.site.uuid, siteId: unique('COPY-'), name: 'Copy' } },
  );
  /** Returns the dependencies of a site and its rules, such as 'Pump at Copy on Power at Copy'. */
  const linksOf = async (site: string) =>
    (
      await serviceQuery(
        app.db,
        `select d.name || ' at ' || d.site_name || ' on ' || c.name || ' at ' || c.site_name as link
         from tocsin.dependency l cross join lateral tocsin_private.watch_place(l.dependent_uuid) d
           cross join lateral tocsin_private.watch_place(l.cause_uuid) c where d.site = $1`,
        [site],
      )
    )
      .map(({ link }) => link as string)
      .toSorted();
  const copied = await linksOf(copySite.site.uuid);
  const original = await linksOf(plant.site.uuid);
  expect(copied).toEqual(original.map((link) => link.replaceAll(plant.site.name, 'Copy')).toSorted());
  expect(copied).toHaveLength(6);
  expect(copied).toContain('Pump at Copy on Power at Copy');
  expect(copied).toContain(`Power at Copy on Grid power at ${elsewhere.site.name}`);
  expect(await linksOf(elsewhere.site.uuid)).toHaveLength(1);
});
