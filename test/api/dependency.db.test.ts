/**
 * Causes of rules and sites: permissions to change them, refusal of cycles, and the message when a cause is deleted.
 */
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceAccess } from '../../server/access.ts';
import { beginOpenings } from '../../server/alarm/dependencies.ts';
import type { UserRow } from '../harness/database/factories.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import { depend } from '../scenarios/dependency-plant.ts';
import { Plant, type Station } from '../scenarios/plant.ts';

let plant: Plant;
let vera: UserRow;
let browser: TestBrowser;
beforeAll(async () => {
  plant = await Plant.start();
  vera = await plant.person({ name: 'Vera', level: 5 });
  browser = await plant.browser(vera);
});
afterAll(() => plant?.close());

const ruleOn = (rule: { uuid: string }, cause: { uuid: string }, by = browser) =>
  depend(by, { tocsinRuleUuid: rule.uuid, causeRuleUuid: cause.uuid });
const siteOn = ({ site }: Station, cause: { uuid: string }) =>
  depend(browser, { tocsinSiteUuid: site.uuid, causeRuleUuid: cause.uuid });

async function saveRule(
  rule: { uuid: string },
  station: Station,
  causes: readonly string[],
  more: object = {},
): Promise<{ message: string; field?: string } | undefined> {
  const input = {
    rule: {
      tocsinSiteUuid: station.site.uuid,
      tocsinAssetUuid: station.sensor.assetUuid,
      tocsinDatapointUuid: station.datapointUuid,
      name: 'Saved',
      valueUpper: 70,
      ...more,
    },
    causes,
    uuid: rule.uuid,
  };
  const { errors } = await browser.graphql(
    'mutation ($input: SaveRuleInput!) { saveRule(input: $input) { rule { uuid } } }',
    { input },
  );
  const [error] = errors ?? [];
  return error && { message: error.message, ...(error.extensions?.field && { field: error.extensions.field }) };
}

const causesOf = async (uuid: string) =>
  (await browser.data('query ($uuid: UUID!) { rule(uuid: $uuid) { name causes { nodes { kind name } } } }', { uuid }))
    .rule;

describe('saving a rule', () => {
  test('replaces its causes', async () => {
    const station = await plant.station();
    const [rule, power, gateway] = [
      await plant.rule(station),
      await plant.rule(station, { name: 'Mains power' }),
      await plant.station({ name: 'Gateway house' }),
    ];
    expect(await saveRule(rule, station, [power.uuid, gateway.site.uuid])).toBeUndefined();
    expect(await causesOf(rule.uuid)).toEqual({
      name: 'Saved',
      causes: {
        nodes: [
          { kind: 'silence', name: 'Gateway house' },
          { kind: 'rule', name: 'Mains power' },
        ],
      },
    });
    expect(await saveRule(rule, station, [])).toBeUndefined();
    expect((await causesOf(rule.uuid)).causes.nodes).toEqual([]);
  });

  test('with a cycle is refused with the path, and changes nothing', async () => {
    const station = await plant.station();
    const [power, pump] = [
      await plant.rule(station, { name: 'Mains power' }),
      await plant.rule(station, { name: 'Pump 1' }),
    ];
    expect(await ruleOn(pump, power)).toBeUndefined();
    expect(await saveRule(power, station, [pump.uuid], { name: 'Mains power' })).toEqual({
      field: 'causes',
      message: 'This would create a cycle: Mains power → Pump 1 → Mains power. Remove one of these causes.',
    });
    expect(await saveRule(power, station, [power.uuid])).toMatchObject({ field: 'causes' });
    expect(await causesOf(power.uuid)).toEqual({ name: 'Mains power', causes: { nodes: [] } });
  });

  test('with more than ten causes, or with a deleted one, is refused', async () => {
    const station = await plant.station();
    const rule = await plant.rule(station);
    const causes: string[] = [];
    for (let count = 0; count < 11; count += 1) causes.push((await plant.rule(station)).uuid);
    expect(await saveRule(rule, station, causes)).toEqual({ field: 'causes', message: 'Choose at most 10 causes.' });
    expect(await saveRule(rule, station, causes.slice(0, 10))).toBeUndefined();
    expect(await saveRule(rule, station, ['00000000-0000-4000-8000-000000000000'])).toEqual({
      field: 'causes',
      message: 'A cause no longer exists. Remove it from the list.',
    });
  });
});

describe('a cycle', () => {
  test('through the rules of sites is refused', async () => {
    const [one, other] = [await plant.station({ name: 'North' }), await plant.station({ name: 'South' })];
    const [north, south] = [
      await plant.rule(one, { name: 'North power' }),
      await plant.rule(other, { name: 'South power' }),
    ];
    expect(await siteOn(one, south)).toBeUndefined();
    expect(await siteOn(other, north)).toEqual({
      field: 'causes',
      message:
        'This would create a cycle: South → North power → North → South power → South. Remove one of these causes.',
    });
  });

  test('is not reported if a site depends on its own rules', async () => {
    const station = await plant.station();
    const [power, grid] = [await plant.rule(station), await plant.rule(station)];
    expect(await siteOn(station, power)).toBeUndefined();
    expect(await ruleOn(power, grid)).toBeUndefined();
  });

  test('is refused when two people save its halves at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const station = await plant.station();
      const [one, other] = [await plant.rule(station), await plant.rule(station)];
      const refusals = await Promise.all([ruleOn(one, other), ruleOn(other, one)]);
      expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(1);
    }
  });

  test('is refused exactly if the reference finds one', async () => {
    const edge = fc.tuple(fc.nat(4), fc.nat(4));
    await fc.assert(
      fc.asyncProperty(fc.array(edge, { minLength: 2, maxLength: 10 }), async (edges) => {
        const station = await plant.station();
        const rules = [];
        for (let count = 0; count < 5; count += 1) rules.push(await plant.rule(station));
        const causes = new Map<number, Set<number>>();
        const leads = (from: number, to: number): boolean =>
          from === to || [...(causes.get(from) ?? [])].some((next) => leads(next, to));
        for (const [from, to] of edges) {
          if (causes.get(from)?.has(to)) continue;
          const isCycle = leads(to, from);
          const refusal = await ruleOn(rules[from] as { uuid: string }, rules[to] as { uuid: string });
          expect(refusal !== undefined).toBe(isCycle);
          if (!isCycle) causes.set(from, new Set([...(causes.get(from) ?? []), to]));
        }
      }),
      { numRuns: 10 },
    );
  });
});

test('the opening of a consequence waits for the transaction that opens its cause', async () => {
  const station = await plant.station();
  const [rule, power] = [await plant.rule(station), await plant.rule(station)];
  expect(await ruleOn(rule, power)).toBeUndefined();
  const order: string[] = [];
  const { promise: isLocked, resolve: tellLocked } = Promise.withResolvers<void>();
  const first = plant.db.transaction(serviceAccess(plant.clock), async (tx) => {
    expect(await beginOpenings(tx, [power.uuid], [power.uuid])).toBe(true);
    tellLocked();
    await delay(200);
    order.push('cause');
  });
  await isLocked;
  const second = plant.db.transaction(serviceAccess(plant.clock), async (tx) => {
    expect(await beginOpenings(tx, [rule.uuid], [rule.uuid])).toBe(true);
    order.push('consequence');
  });
  await Promise.all([first, second]);
  expect(order).toEqual(['cause', 'consequence']);
  const other = await plant.rule(station);
  const isConcerned = await plant.db.transaction(serviceAccess(plant.clock), (tx) => beginOpenings(tx, [other.uuid]));
  expect(isConcerned).toBe(false);
});

test('an operator sees causes but is not allowed to change them', async () => {
  const station = await plant.station();
  const [rule, power] = [await plant.rule(station), await plant.rule(station)];
  expect(await ruleOn(rule, power)).toBeUndefined();
  const operator = await plant.browser(await plant.person({ site: station.site }));
  const { rule: seen } = await operator.data(
    'query ($uuid: UUID!) { rule(uuid: $uuid) { causes { nodes { uuid } } } }',
    {
      uuid: rule.uuid,
    },
  );
  expect(seen.causes.nodes).toEqual([{ uuid: power.uuid }]);
  expect(await ruleOn(power, rule, operator)).toBeDefined();
  const { causeChoices } = await operator.data('{ causeChoices { nodes { uuid } } }');
  expect(causeChoices.nodes).toEqual([]);
});

test('the deletion of a cause says how many rules and sites depend on it, and removes the dependency', async () => {
  const station = await plant.station();
  const [rule, power] = [await plant.rule(station), await plant.rule(station)];
  expect(await ruleOn(rule, power)).toBeUndefined();
  expect(await siteOn(station, power)).toBeUndefined();
  const { deletionEffects } = await browser.data(
    'query ($uuid: UUID!) { deletionEffects(noun: "rule", uuid: $uuid) { nodes { noun rows stays } } }',
    { uuid: power.uuid },
  );
  expect(deletionEffects.nodes).toContainEqual({ noun: 'dependent', rows: 2, stays: true });
  await browser.data('mutation ($uuid: UUID!) { deleteRule(input: { uuid: $uuid }) { clientMutationId } }', {
    uuid: power.uuid,
  });
  expect((await causesOf(rule.uuid)).causes.nodes).toEqual([]);
});

test('a data point without an alarm state is refused as a cause', async () => {
  const station = await plant.station();
  const rule = await plant.rule(station);
  expect(await depend(browser, { tocsinRuleUuid: rule.uuid, causeDatapointUuid: station.datapointUuid })).toEqual({
    field: 'causes',
    message: 'Choose a data point whose digital channel has an alarm state.',
  });
});

test('causes can be found by name and site, those at the same site first', async () => {
  const [here, there] = [await plant.station({ name: 'Weir' }), await plant.station({ name: 'Lock' })];
  await plant.rule(here, { name: 'Zulu power' });
  await plant.rule(there, { name: 'Alpha power' });
  const { causeChoices } = await browser.data(
    'query ($site: UUID!) { causeChoices(search: "power", siteUuid: $site, first: 2) { nodes { name siteName } } }',
    { site: here.site.uuid },
  );
  expect(causeChoices.nodes[0]).toEqual({ name: 'Zulu power', siteName: 'Weir' });
});
