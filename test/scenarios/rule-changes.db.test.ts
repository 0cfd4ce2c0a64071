/** Rules, data points and sites that are changed or deleted while a rule is pending or its alarm is open. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, remove, update } from '../api/api.ts';
import type { UserRow } from '../harness/database/factories.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import { Plant, type Station } from './plant.ts';

let plant: Plant;
let manager: TestBrowser;
let anna: UserRow;
beforeAll(async () => {
  plant = await Plant.start();
  manager = await plant.browser(await plant.person({ level: 5, name: 'Mia Manager' }));
  anna = await plant.person({ name: 'Anna' });
});
afterAll(() => plant?.close());

async function watched(columns: Record<string, unknown> = {}): Promise<{ station: Station; rule: string }> {
  const station = await plant.station();
  const { uuid } = await plant.rule(station, { debounce: 60, name: 'High level', ...columns });
  await plant.alert(station.site, 'High level', { alert: [anna], resolve: [anna] });
  return { station, rule: uuid };
}

const reasons = async (rule: string) => (await plant.transitions(rule)).map(({ because }) => because);
const sentences = async (alarm: string) => (await plant.events(alarm)).map(({ sentence }) => sentence);

describe('versions', () => {
  test('keeps every version of a rule with its author, and an alarm shows the limits it was evaluated with', async () => {
    const { station, rule } = await watched({ debounce: 0, value_lower: 1.5, clear_upper: 95 });
    await plant.send(station, 120);
    await done(update(manager, 'rule', rule, { valueUpper: 110, clearUpper: null }));
    await done(update(manager, 'rule', rule, { valueUpper: 115 }));
    await done(update(manager, 'rule', rule, { valueUpper: 115 }));
    const versions = await manager.data(
      'query ($r: UUID!) { ruleVersions(filter: { ruleUuid: { equalTo: $r } }, orderBy: VERSION_ASC) { nodes { version valueLower valueUpper clearUpper changedBy } } }',
      { r: rule },
    );
    expect(versions.ruleVersions.nodes).toEqual([
      { version: 1, valueLower: 1.5, valueUpper: 100, clearUpper: 95, changedBy: 'Tocsin' },
      { version: 2, valueLower: 1.5, valueUpper: 110, clearUpper: null, changedBy: 'Mia Manager' },
      { version: 3, valueLower: 1.5, valueUpper: 115, clearUpper: null, changedBy: 'Mia Manager' },
    ]);
    await plant.settle();
    expect(await plant.open(station.site)).toMatchObject([
      { rule_version: 1, criteria: { lower: 1.5, upper: 100, clearUpper: 95, debounce: 0, version: 1 } },
    ]);
  });
});

describe('a changed rule', () => {
  test('while pending is evaluated again with its new limits', async () => {
    const { station, rule } = await watched();
    await plant.send(station, 120);
    await plant.pass(30);
    await done(update(manager, 'rule', rule, { valueUpper: 110 }));
    await plant.pass(30);
    expect(await plant.alarms(station.site), 'the old debounce no longer counts').toEqual([]);
    await plant.send(station, 120);
    await plant.pass(59);
    expect(await plant.alarms(station.site)).toEqual([]);
    await plant.pass(1);
    expect(await plant.open(station.site)).toMatchObject([{ rule_version: 2, criteria: { upper: 110 } }]);
    expect(await reasons(rule)).toEqual(['above-upper', 'rule-changed', 'above-upper', 'stayed-out']);
  });

  test('while pending opens nothing if the value is inside the new limits', async () => {
    const { station, rule } = await watched();
    await plant.send(station, 120);
    await plant.pass(30);
    await done(update(manager, 'rule', rule, { valueUpper: 150 }));
    await plant.send(station, 121);
    await plant.pass(600);
    expect(await plant.alarms(station.site)).toEqual([]);
    expect((await reasons(rule)).slice(0, 2)).toEqual(['above-upper', 'rule-changed']);
  });

  test('with only a new text continues, even without further readings', async () => {
    const { station, rule } = await watched();
    await plant.send(station, 120);
    await plant.pass(30);
    await done(update(manager, 'rule', rule, { message: 'Pump sump is full', priority: 'critical' }));
    await plant.pass(30);
    expect(await plant.open(station.site)).toMatchObject([
      { message: 'Pump sump is full', severity: 'critical', rule_version: 2 },
    ]);
    expect(await reasons(rule)).toEqual(['above-upper', 'stayed-out']);
  });

  test('with only a new text does not start again with the next reading', async () => {
    const { station, rule } = await watched();
    await plant.send(station, 120);
    await plant.pass(30);
    // Saves the rule with all of its fields, as the form in the console does.
    const form = { name: 'High level', valueUpper: 100, debounce: 60, enabled: true, message: 'Pump sump is full' };
    await done(update(manager, 'rule', rule, form));
    await plant.send(station, 121);
    await plant.pass(30);
    expect(await plant.open(station.site)).toHaveLength(1);
  });

  test('while open keeps its alarm, says so on it, and resolves it by the new limits', async () => {
    const { station, rule } = await watched({ debounce: 0 });
    await plant.send(station, 120);
    const [alarm] = await plant.open(station.site);
    await done(update(manager, 'rule', rule, { valueUpper: 130 }));
    await plant.settle();
    expect(await plant.open(station.site)).toHaveLength(1);
    expect(await sentences(alarm.uuid)).toContainEqual(
      'Mia Manager changed the rule to version 2. The alarm opened with version 1; the new version decides when it clears.',
    );
    await done(update(manager, 'rule', rule, { valueUpper: 128 }));
    await plant.settle();
    expect(await sentences(alarm.uuid)).toContainEqual(
      'Mia Manager changed the rule to version 3. The alarm opened with version 1; the new version decides when it clears.',
    );
    await plant.pass(1);
    await plant.send(station, 125);
    expect(await plant.open(station.site)).toEqual([]);
    const [resolved] = await plant.alarms(station.site);
    expect(resolved).toMatchObject({ rule_version: 1, criteria: { upper: 100 }, resolved_how: 'by-itself' });
  });

  test('with a longer debounce while clearing resolves after the longer time', async () => {
    const { station, rule } = await watched();
    await plant.send(station, 120);
    await plant.pass(60);
    await plant.send(station, 50);
    await plant.pass(30);
    await done(update(manager, 'rule', rule, { debounce: 300 }));
    await plant.pass(60);
    expect(await plant.open(station.site)).toHaveLength(1);
    await plant.send(station, 50);
    await plant.pass(299);
    expect(await plant.open(station.site)).toHaveLength(1);
    await plant.pass(1);
    expect(await plant.open(station.site)).toEqual([]);
  });
});

describe.each([
  ['disabled', (rule: string) => done(update(manager, 'rule', rule, { enabled: false }))],
  ['deleted', (rule: string) => done(remove(manager, 'rule', rule))],
] as const)('a rule that is %s', (word, end) => {
  test('while pending opens nothing, and the transition says why', async () => {
    const { station, rule } = await watched();
    await plant.send(station, 120);
    await plant.pass(30);
    await end(rule);
    await plant.send(station, 120);
    await plant.pass(600);
    expect(await plant.alarms(station.site)).toEqual([]);
    expect(await reasons(rule)).toEqual(['above-upper', `rule-${word}`]);
  });

  test('while open resolves its alarm, says who did it, and notifies resolution recipients', async () => {
    const { station, rule } = await watched({ debounce: 0 });
    await plant.send(station, 120);
    const [alarm] = await plant.open(station.site);
    await end(rule);
    await plant.pass(1);
    expect(await plant.open(station.site)).toEqual([]);
    expect(await plant.alarms(station.site)).toMatchObject([{ resolved_how: 'rule-changed', rule_version: 1 }]);
    expect(await sentences(alarm.uuid)).toContainEqual(
      `Mia Manager ${word} the rule, so the rule is no longer evaluated.`,
    );
    const [, resolved, ...others] = await plant.messages(station.site);
    expect(others).toEqual([]);
    expect(resolved?.kind).toBe('resolve');
    expect(resolved?.text, 'the message does not say that the value is normal').toMatch(
      new RegExp(
        `After .+: Mia Manager ${word} the rule, so the rule is no longer evaluated. Last value 120( .+)?\\.$`,
      ),
    );
    await plant.send(station, 120);
    await plant.pass(600);
    expect(await plant.alarms(station.site)).toHaveLength(1);
    expect(await reasons(rule)).toEqual(['above-upper', `rule-${word}`]);
    const [{ status }] = await plant.query('select status from tocsin.asset_datapoint where uuid = $1', [
      station.datapointUuid,
    ]);
    expect(status, 'the data point is normal again').toBe(1);
  });
});

describe('a data point with another sensor', () => {
  /** Replaces the station's sensor and returns the station with the new sensor. */
  async function replaced(station: Station): Promise<Station> {
    const spare = await plant.another(station, [{ name: 'Level' }]);
    const patch = { tocsinSensorUuid: spare.sensor.uuid, tocsinSensorChannelUuid: spare.sensor.channels[0]?.uuid };
    await done(update(manager, 'assetDatapoint', station.datapointUuid, patch));
    await plant.settle();
    return spare;
  }

  test.each(['at once', 'after a restart'])('while open is evaluated with its readings, %s', async (when) => {
    const { station } = await watched({ debounce: 0 });
    await plant.send(station, 120);
    const [alarm] = await plant.open(station.site);
    const spare = await replaced(station);
    if (when === 'after a restart') {
      await plant.restart();
      manager = await plant.browser(await plant.person({ level: 5, name: 'Mia Manager' }));
    }
    await plant.pass(1);
    await plant.send(spare, 130);
    expect(await plant.alarms(station.site)).toMatchObject([{ uuid: alarm.uuid, occurrences: 1, resolved_date: null }]);
    await plant.pass(1);
    await plant.send(spare, 50);
    expect(await plant.open(station.site)).toEqual([]);
  });

  test('while pending opens on time', async () => {
    const { station, rule } = await watched();
    await plant.send(station, 120);
    await plant.pass(30);
    await replaced(station);
    await plant.pass(30);
    expect(await plant.open(station.site)).toHaveLength(1);
    expect(await reasons(rule)).toEqual(['above-upper', 'stayed-out']);
  });
});

describe('a deleted data point', () => {
  test('while pending opens nothing', async () => {
    const { station, rule } = await watched();
    await plant.send(station, 120);
    await done(remove(manager, 'assetDatapoint', station.datapointUuid));
    await plant.pass(600);
    expect(await plant.alarms(station.site)).toEqual([]);
    expect(await reasons(rule)).toEqual(['above-upper', 'rule-deleted']);
  });

  test.each([
    ['data point', (station: Station) => remove(manager, 'assetDatapoint', station.datapointUuid)],
    ['asset', (station: Station) => remove(manager, 'asset', station.sensor.assetUuid)],
  ])('while open resolves its alarm and says so, alone or with its asset: %s', async (what, end) => {
    const { station } = await watched({ debounce: 0 });
    await plant.send(station, 120);
    const [alarm] = await plant.open(station.site);
    await done(end(station));
    await plant.settle();
    expect(await plant.open(station.site)).toEqual([]);
    expect((await plant.events(alarm.uuid)).at(-1)).toMatchObject({
      kind: 'resolved',
      sentence: expect.stringContaining(`Mia Manager deleted the ${what}, so `),
    });
  });
});

describe('a deleted site', () => {
  test('while pending opens nothing', async () => {
    const { station, rule } = await watched();
    await plant.send(station, 120);
    await done(remove(manager, 'site', station.site.uuid));
    await plant.pass(600);
    expect(await plant.alarms(station.site)).toEqual([]);
    expect(await reasons(rule)).toEqual(['above-upper', 'rule-deleted']);
  });

  test('while open keeps its alarm as history: resolved, with the site’s name and the reason', async () => {
    const { station } = await watched({ debounce: 0 });
    await plant.send(station, 120);
    await plant.settle();
    const [alarm] = await plant.open(station.site);
    await done(remove(manager, 'site', station.site.uuid));
    await plant.settle();
    const [kept] = await plant.alarms(station.site);
    expect(kept).toMatchObject({ uuid: alarm.uuid, tocsin_site_uuid: null, site_name: station.site.name });
    expect(kept.resolved_date).not.toBeNull();
    expect((await plant.events(alarm.uuid)).filter(({ kind }) => kind === 'resolved')).toMatchObject([
      { sentence: expect.stringMatching(/^Mia Manager deleted the site, so /) },
    ]);
  });

  test('also ends its open silence alarm', async () => {
    const { station } = await watched();
    await plant.send(station, 50);
    await plant.pass(25 * 3600);
    const [alarm] = await plant.open(station.site);
    expect(alarm).toMatchObject({ source: 'silence' });
    const again = await plant.app.browser(await plant.person({ level: 5, name: 'Max Manager' }));
    await done(remove(again, 'site', station.site.uuid));
    await plant.settle();
    expect(await plant.open(station.site)).toEqual([]);
    expect((await plant.events(alarm.uuid)).at(-1)).toMatchObject({ kind: 'resolved' });
  });
});

test('deleting a data point deletes its conditions too and resolves their alarm', async () => {
  // The session of `manager` has ended, because earlier tests advanced the clock. The test therefore uses another
  // manager.
  const mia = await plant.browser(await plant.person({ level: 5, name: 'Mia Manager' }));
  const station = await plant.station({ channels: [{ name: 'Level' }, { name: 'Run' }] });
  const [level, run] = station.sensor.channels.map(({ datapointUuid }) => datapointUuid);
  const rule = await plant.conditions(station, 'Full and running', {
    all: [
      { fact: level?.toUpperCase(), operator: 'greaterThan', value: 3 },
      { any: [{ fact: run, operator: 'equal', value: 1 }] },
    ],
  });
  const other = await plant.conditions(station, 'Full', { all: [{ fact: level, operator: 'greaterThan', value: 9 }] });
  await plant.send(station, 4, 0, 1);
  await plant.send(station, 1, 0, 2);
  await plant.settle();
  const [open] = await plant.open(station.site);
  expect(open).toMatchObject({ rule_uuid: rule.uuid });
  const effects = async (noun: string, uuid: string | undefined) => {
    const query = `{ deletionEffects(noun: "${noun}", uuid: "${uuid}") { nodes { noun rows } } }`;
    const { nodes } = (await mia.data(query)).deletionEffects;
    return Object.fromEntries(nodes.map((row: { noun: string; rows: number }) => [row.noun, row.rows]));
  };
  expect(await effects('asset_datapoint', run)).toMatchObject({
    rules_json: 1,
    alarm: 1,
    open_alarm: 1,
    kept_history: 1,
  });
  expect(await effects('asset', station.sensor.assetUuid)).toMatchObject({ rules_json: 2, open_alarm: 1 });
  await done(remove(mia, 'assetDatapoint', run as string));
  await plant.settle();
  expect(await plant.open(station.site)).toEqual([]);
  expect(await sentences(open.uuid)).toContain(
    'Mia Manager deleted a data point of the rule, so the rule is no longer evaluated.',
  );
  const left = await plant.query('select uuid from tocsin.rules_json where site_id = $1', [station.site.site_id]);
  expect(left).toEqual([{ uuid: other.uuid }]);
});
