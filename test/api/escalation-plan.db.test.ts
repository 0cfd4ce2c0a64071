/** Escalation plans by the API: saving, refusals at the field, rehearsal, and rotas that a plan needs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSite, createUser, serviceQuery, type UserRow } from '../harness/database/factories.ts';
import { PASSWORD, type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { outcome, type Values } from './api.ts';

let app: TestApp;
let staff: Staff;
let manager: TestBrowser;
let site: { uuid: string };
let rota: string;
let layer: string;
let [ana, ben]: UserRow[] = [];
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  manager = await app.browser(staff.manager);
  const person = (name: string) =>
    createUser(app.db, { customer: staff.customer, level: 20, password: PASSWORD, varified: true, displayName: name });
  [ana, ben] = [await person('Ana'), await person('Ben')];
  site = await createSite(app.db, { customer: staff.customer });
  const input = {
    ...{ rotaName: 'Pump stations', name: 'Primary', personUuids: [ben!.uuid], turnHours: 168, firstDay: '2026-01-05' },
    ...{ handoverTime: '08:00', timeZone: 'UTC' },
  };
  const saved = await call('saveRotaLayer', input, 'result { uuid }');
  rota = saved.row.uuid;
  const [found] = await serviceQuery(app.db, 'select uuid from tocsin.rota_layer where tocsin_rota_uuid = $1', [rota]);
  layer = found!.uuid;
});
afterAll(() => app?.close());

async function call(name: string, input: Values, fields: string, by = manager) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const answer = await by.graphql(`mutation ($input: ${type}!) { ${name}(input: $input) { ${fields} } }`, { input });
  return outcome(answer, answer.data?.[name]?.[/^\w+/.exec(fields)?.[0] as string]);
}

let made = 0;
const save = (steps: Values[] | undefined, more: Values = {}, by = manager) => {
  made += 1;
  const people = [{ tocsinUserUuid: ana!.uuid, isAlert: true, isResolve: false, isHealth: false }];
  return call(
    'saveRuleAlert',
    {
      ...{ tocsinSiteUuid: site.uuid, tocsinRuleName: `Level ${made}`, indAck: true, escalateMinutes: 20 },
      ...{ escalateIntervalMinutes: 10, escalateCount: 2, people, escalates: [ana!.uuid], reasons: [] },
      ...(steps && { steps }),
      ...more,
    },
    'ruleAlert { uuid updatedAt }',
    by,
  );
};
const third = (more: Values = {}): Values => ({ waitMinutes: 20, repeatCount: 1, repeatMinutes: 5, ...more });
const stepsOf = (uuid: string) =>
  serviceQuery(
    app.db,
    `select t.step, coalesce(u.display_name, l.name) as name, s.wait_minutes as wait from tocsin.rule_step_recipient t
     left join tocsin.user u on u.uuid = t.tocsin_user_uuid left join tocsin.rota_layer l on l.uuid = t.tocsin_rota_layer_uuid
     left join tocsin.rule_step s on s.tocsin_rule_alert_uuid = t.tocsin_rule_alert_uuid and s.step = t.step
     where t.tocsin_rule_alert_uuid = $1 order by 1, 2`,
    [uuid],
  );

describe('a plan', () => {
  test('is saved with the rule alert, and stays without `steps`', async () => {
    const { row, refusal } = await save([{ layers: [layer] }, {}, third({ people: [ben!.uuid], layers: [layer] })]);
    expect(refusal).toBeUndefined();
    const stored = [
      { step: 1, name: 'Primary', wait: null },
      { step: 3, name: 'Ben', wait: 20 },
      { step: 3, name: 'Primary', wait: 20 },
    ];
    expect(await stepsOf(row.uuid)).toEqual(stored);
    const same = { uuid: row.uuid, tocsinRuleName: `Level ${made}` };
    const again = await save(undefined, { ...same, escalateMinutes: 30, seen: row.updatedAt });
    expect(again.refusal).toBeUndefined();
    expect(await stepsOf(row.uuid)).toEqual(stored);
    const removed = await save([{ layers: [] }, {}], same);
    expect(removed.refusal).toBeUndefined();
    expect(await stepsOf(row.uuid)).toEqual([]);
  });

  test.each([
    ['a step without recipients', [{}, {}, third()], 'Step 3 notifies nobody. Add a person or a rota.'],
    [
      'a wait of 0',
      () => [{}, {}, third({ waitMinutes: 0, people: [ben!.uuid] })],
      'Step 3: enter a wait from 1 to 10,080 minutes.',
    ],
    [
      'a wait above a week',
      () => [{}, {}, third({ waitMinutes: 10_081, people: [ben!.uuid] })],
      'Step 3: enter a wait from 1 to 10,080 minutes.',
    ],
    ['too many repeats', () => [{ repeatCount: 100, repeatMinutes: 5 }], 'Step 1: enter 0 to 99 repeats.'],
    [
      'an interval of 0',
      () => [{ repeatCount: 1, repeatMinutes: 0 }],
      'Step 1: enter an interval from 1 to 10,080 minutes.',
    ],
    [
      'an unknown rota',
      [{ layers: ['00000000-0000-4000-8000-000000000000'] }],
      'Step 1: a rota no longer exists. Remove it.',
    ],
    [
      'an unknown person',
      [{}, {}, third({ people: ['00000000-0000-4000-8000-000000000000'] })],
      'Step 3: a recipient no longer exists. Remove that recipient.',
    ],
    [
      'a repeated recipient',
      () => [{}, {}, third({ people: [ben!.uuid, ben!.uuid] })],
      'Step 3: a recipient is listed twice. Remove one.',
    ],
    ['people of the first step', () => [{ people: [ben!.uuid] }], 'Step 1: enter its people in "people".'],
    [
      'eleven steps',
      () => [{}, {}, ...Array.from({ length: 9 }, () => third({ people: [ben!.uuid] }))],
      'A plan has 1 to 10 steps.',
    ],
  ] as [string, Values[] | (() => Values[]), string][])('refuses %s at the field', async (_, steps, message) => {
    const { refusal } = await save(typeof steps === 'function' ? steps() : steps);
    expect(refusal).toMatchObject({ field: 'steps', message });
  });

  test('is refused if the rule alert changed meanwhile', async () => {
    const { row } = await save([{ layers: [layer] }]);
    const same = { uuid: row.uuid, tocsinRuleName: `Level ${made}` };
    app.clock.advance(1000);
    await save([{ layers: [] }], same);
    const { refusal } = await save([{ layers: [layer] }], { ...same, seen: row.updatedAt });
    expect(refusal).toBeDefined();
  });

  test('keeps its rota from being deleted', async () => {
    await save([{ layers: [layer] }]);
    const { refusal } = await call('deleteRota', { rotaUuid: rota }, 'clientMutationId');
    expect(refusal?.message).toMatch(/^Remove this rota from the escalation plans of these rule alerts first: "Level/);
  });

  test('is in the audit trail', async () => {
    const { row } = await save([{ layers: [layer] }]);
    const found = await serviceQuery(
      app.db,
      `select noun from tocsin.audit where after ->> 'tocsin_rule_alert_uuid' = $1 order by 1`,
      [row.uuid],
    );
    expect(found.map(({ noun }) => noun)).toContain('rule_step_recipient');
  });
});

describe('a rehearsal', () => {
  const query = `query ($alert: UUID, $steps: [RehearsalStepInput!], $at: Datetime) {
    rehearsePlan(ruleAlertUuid: $alert, steps: $steps, at: $at) {
      notifications { at step repeat personName onCallFor methodTypes } gaps { step onCallFor isSkipped } } }`;
  const at = '2026-11-21T02:10:00.000Z';

  test('shows who would be notified by a rule alert, when and by which method', async () => {
    const { row } = await save([{ layers: [layer] }, {}, third({ people: [ben!.uuid] })], { escalateCount: 1 });
    const { rehearsePlan } = await manager.data(query, { alert: row.uuid, at });
    const text = rehearsePlan.notifications.map((one: any) =>
      [one.at.slice(11, 16), `${one.step}.${one.repeat}`, one.personName, one.onCallFor, one.methodTypes.join()].join(
        ' ',
      ),
    );
    expect(text).toEqual([
      '02:10 1.0 Ana  1',
      '02:10 1.0 Ben Pump stations, Primary 1',
      '02:30 2.0 Ana  1',
      '02:50 3.0 Ben  1',
      '02:55 3.1 Ben  1',
    ]);
  });

  test('follows unsaved steps, and skips a gap', async () => {
    const step = {
      waitMinutes: 5,
      repeatCount: 0,
      repeatMinutes: 10,
      personUuids: [] as string[],
      layerUuids: [] as string[],
    };
    const steps = [
      { ...step, layerUuids: ['00000000-0000-4000-8000-000000000000'] },
      { ...step, personUuids: [ana!.uuid] },
    ];
    const { rehearsePlan } = await manager.data(query, { steps, at });
    expect(rehearsePlan.gaps).toEqual([{ step: 1, onCallFor: 'a deleted rota', isSkipped: true }]);
    expect(rehearsePlan.notifications).toMatchObject([{ at, step: 2, personName: 'Ana' }]);
    const { errors } = await manager.graphql(query, { steps: [steps[0], { ...step, waitMinutes: 0 }] });
    expect(errors?.[0]?.message).toBe('Step 2: enter a wait from 1 to 10,080 minutes.');
  });

  test('is only for managers', async () => {
    const { row } = await save([{ layers: [layer] }]);
    const operator = await app.browser(ben!);
    expect((await operator.data(query, { alert: row.uuid })).rehearsePlan).toBeNull();
  });
});
