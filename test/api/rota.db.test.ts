/** Rotas by the API: saving, refusals at the field, overrides, gaps, swaps and people who leave. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser, serviceQuery, type UserRow } from '../harness/database/factories.ts';
import { PASSWORD, type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { outcome, type Values } from './api.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let app: TestApp;
let staff: Staff;
let manager: TestBrowser;
let [ana, ben, cem]: UserRow[] = [];
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  manager = await app.browser(staff.manager);
  const person = (name: string) =>
    createUser(app.db, { customer: staff.customer, level: 20, password: PASSWORD, varified: true, displayName: name });
  [ana, ben, cem] = [await person('Ana'), await person('Ben'), await person('Cem')];
});
afterAll(() => app?.close());

const at = (hours: number) => new Date(app.clock.now().getTime() + hours * HOUR).toISOString();
const dayOf = (days: number) => at(days * 24).slice(0, 10);

async function call(name: string, input: Values, fields = 'result { uuid }', by = manager) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const answer = await by.graphql(`mutation ($input: ${type}!) { ${name}(input: $input) { ${fields} } }`, { input });
  return outcome(answer, answer.data?.[name]?.result);
}

let made = 0;
const valuesOf = (more: Values = {}): Values => ({
  ...{ name: 'Primary', personUuids: [ana!.uuid, ben!.uuid, cem!.uuid], turnHours: 168, firstDay: dayOf(0) },
  ...{ handoverTime: '00:00', timeZone: 'UTC', ...more },
});

/** Adds a rota with one layer of three people. Ana is on call. */
async function addRota(more: Values = {}): Promise<{ rota: string; layer: string }> {
  made += 1;
  const { row, refusal } = await call('saveRotaLayer', { ...valuesOf(more), rotaName: `Pump stations ${made}` });
  expect(refusal).toBeUndefined();
  const [layer] = await serviceQuery(app.db, 'select uuid from tocsin.rota_layer where tocsin_rota_uuid = $1', [
    row.uuid,
  ]);
  return { rota: row.uuid, layer: layer!.uuid };
}

async function shifts(rota: string, from: string, to: string, by = manager) {
  const { rotaShifts } = await by.data(
    `query ($rota: UUID!, $from: Datetime!, $to: Datetime!) {
      rotaShifts(rotaUuid: $rota, from: $from, to: $to) { startsAt endsAt personName plannedName because reason } }`,
    { rota, from, to },
  );
  return rotaShifts;
}

const names = async (rota: string, from: string, to: string, by = manager) =>
  (await shifts(rota, from, to, by)).map(({ personName }: { personName: string | null }) => personName);

describe('a rota', () => {
  test('says who is on call now and next, its shifts and handovers', async () => {
    const { rota } = await addRota();
    const { onCallRotas } = await manager.data(
      `{ onCallRotas { rotaUuid rotaName layers { layerName words state personName until next { personName startsAt } } } }`,
    );
    const midnight = (days: number) => new Date(Date.parse(`${dayOf(days)}T00:00:00Z`)).toISOString();
    expect(onCallRotas.find(({ rotaUuid }: { rotaUuid: string }) => rotaUuid === rota).layers).toEqual([
      {
        ...{ layerName: 'Primary', words: expect.stringMatching(/^weekly, handover \w+day 00:00, around the clock$/) },
        ...{ state: 'on-call', personName: 'Ana', until: midnight(7) },
        next: { personName: 'Ben', startsAt: midnight(7) },
      },
    ]);
    expect(await names(rota, at(0), at(21 * 24))).toEqual(['Ana', 'Ben', 'Cem', 'Ana']);
    const { rotaHandovers } = await manager.data(
      `query ($rota: UUID!, $from: Datetime!, $to: Datetime!) {
        rotaHandovers(rotaUuid: $rota, from: $from, to: $to) { at fromName toName because } }`,
      { rota, from: at(0), to: at(8 * 24) },
    );
    expect(rotaHandovers).toEqual([{ at: midnight(7), fromName: 'Ana', toName: 'Ben', because: 'turn' }]);
  });

  test.each([
    ['personUuids', { personUuids: [] }, 'Add at least one person.'],
    ['turnHours', { turnHours: 0 }, 'Enter a length from 1 hour to 366 days.'],
    ['name', { name: ' ' }, 'Enter a name.'],
    ['timeZone', { timeZone: 'Europe/Lomdon' }, 'Choose a time zone, such as Europe/London.'],
    ['handoverTime', { handoverTime: '24:30' }, 'Enter a time, such as 08:00.'],
    ['hours', { hours: [{ weekdays: [], from: '08:00', to: '17:00' }] }, 'Choose at least one weekday'],
    ['rotaName', { rotaName: '' }, 'Enter a name.'],
  ])('is refused at the field %s', async (field, more, message) => {
    const { refusal } = await call('saveRotaLayer', { ...valuesOf(), rotaName: 'Refused', ...more });
    expect(refusal).toMatchObject({ field, message: expect.stringContaining(message) });
    expect(await serviceQuery(app.db, "select from tocsin.rota where name = 'Refused'")).toEqual([]);
  });

  test('refuses a name that another rota has', async () => {
    const { rota } = await addRota();
    const name = `PUMP stations ${made}`;
    const { refusal } = await call('saveRotaLayer', { ...valuesOf(), rotaName: name });
    expect(refusal).toMatchObject({ field: 'rotaName', message: expect.stringContaining('already a rota') });
    expect((await call('renameRota', { rotaUuid: rota, name }, 'result { name }')).row).toEqual({ name });
    const other = await addRota();
    expect((await call('renameRota', { rotaUuid: other.rota, name })).refusal).toMatchObject({ field: 'name' });
  });

  test('refuses people of another customer and people who are disabled', async () => {
    const other = await app.staff();
    const { refusal } = await call('saveRotaLayer', {
      ...valuesOf({ personUuids: [other.operator.uuid] }),
      rotaName: 'Foreign',
    });
    expect(refusal).toMatchObject({ field: 'personUuids' });
  });

  test('is seen by its people and managers only', async () => {
    const { rota } = await addRota({ personUuids: [ana!.uuid] });
    expect(await names(rota, at(0), at(1), await app.browser(ana!))).toEqual(['Ana']);
    for (const person of [ben!, staff.partner]) {
      expect((await shifts(rota, at(0), at(1), await app.browser(person))) ?? null).toBeNull();
    }
  });

  test('is changed by managers only', async () => {
    const { rota, layer } = await addRota();
    const operator = await app.browser(ana!);
    for (const [name, input] of [
      ['saveRotaLayer', { ...valuesOf({ name: 'Mine' }), rotaUuid: rota, uuid: layer }],
      ['renameRota', { rotaUuid: rota, name: 'Mine' }],
      ['addRotaOverride', { layerUuid: layer, startsAt: at(1), endsAt: at(5), coverUuid: ana!.uuid }],
      ['deleteRota', { rotaUuid: rota }],
    ] as const) {
      expect((await call(name, input, 'result { uuid }', operator)).refusal, name).toMatchObject({
        message: expect.stringContaining('you are not allowed'),
      });
    }
  });

  test('keeps its last layer', async () => {
    const { layer } = await addRota();
    const { refusal } = await call('deleteRotaLayer', { layerUuid: layer });
    expect(refusal?.message).toBe('A rota needs at least one layer. Delete the rota instead.');
  });
});

describe('an override', () => {
  test('covers the shifts of a person who is off', async () => {
    const { rota, layer } = await addRota();
    const input = { layerUuid: layer, startsAt: at(10), endsAt: at(30), offUuid: ana!.uuid, coverUuid: cem!.uuid };
    expect((await call('addRotaOverride', { ...input, reason: 'holiday' })).refusal).toBeUndefined();
    expect(await shifts(rota, at(0), at(40))).toMatchObject([
      { personName: 'Ana', because: 'turn' },
      {
        personName: 'Cem',
        plannedName: 'Ana',
        because: 'override',
        reason: 'holiday',
        startsAt: at(10),
        endsAt: at(30),
      },
      { personName: 'Ana', because: 'turn' },
    ]);
  });

  test.each([
    ['endsAt', { startsAt: 5, endsAt: 5 }, 'The end is not after the start.'],
    ['endsAt', { startsAt: -10, endsAt: -5 }, 'This period is in the past.'],
    ['startsAt', { startsAt: 30, endsAt: 40 }, 'Ana is off already in this period (holiday).'],
    ['offUuid', { startsAt: 60, endsAt: 70, off: 'outsider' }, 'is not in this layer.'],
    ['coverUuid', { startsAt: 60, endsAt: 70, off: 'none' }, 'Choose a person who is off, or who covers.'],
  ])('is refused at %s', async (field, { startsAt, endsAt, off }: Values, message) => {
    const { layer } = await addRota();
    const first = { layerUuid: layer, startsAt: at(20), endsAt: at(35), offUuid: ana!.uuid, reason: 'holiday' };
    await call('addRotaOverride', first);
    const { refusal } = await call('addRotaOverride', {
      ...{ layerUuid: layer, startsAt: at(startsAt as number), endsAt: at(endsAt as number) },
      offUuid: off === 'outsider' ? staff.operator.uuid : off === 'none' ? null : ana!.uuid,
    });
    expect(refusal).toMatchObject({ field, message: expect.stringContaining(message) });
  });

  test('outside the hours of the layer is refused', async () => {
    const { layer } = await addRota({ hours: [{ weekdays: [6, 7], from: '00:00', to: '00:00' }] });
    // A Tuesday.
    const { refusal } = await call('addRotaOverride', {
      ...{ layerUuid: layer, startsAt: at(24), endsAt: at(36), coverUuid: cem!.uuid },
    });
    expect(refusal).toMatchObject({
      field: 'startsAt',
      message: expect.stringContaining('has no hours in this period'),
    });
  });

  test('of a person never overlaps another one, also when two managers add both at the same time', async () => {
    const { layer } = await addRota();
    const other = await app.browser(staff.owner);
    const input = { layerUuid: layer, startsAt: at(20), endsAt: at(35), offUuid: ana!.uuid };
    const answers = await Promise.all(
      [manager, other, manager, other].map((by) => call('addRotaOverride', input, 'result { uuid }', by)),
    );
    expect(answers.filter(({ refusal }) => refusal === undefined)).toHaveLength(1);
    const rows = await serviceQuery(app.db, 'select from tocsin.rota_override where tocsin_rota_layer_uuid = $1', [
      layer,
    ]);
    expect(rows).toHaveLength(1);
  });
});

describe('a gap', () => {
  const gaps = async (rota: string) =>
    (
      await manager.data(
        `query ($rota: UUID!, $from: Datetime!, $to: Datetime!) {
          rotaGapPeriods(rotaUuid: $rota, from: $from, to: $to) { startsAt endsAt missingName because isConfirmed } }`,
        { rota, from: at(0), to: at(14 * 24) },
      )
    ).rotaGapPeriods;

  test('is confirmed as a whole, and only while nobody is on call', async () => {
    const { rota, layer } = await addRota();
    await call('addRotaOverride', { layerUuid: layer, startsAt: at(20), endsAt: at(44), offUuid: ana!.uuid });
    const period = { layerUuid: layer, startsAt: at(20), endsAt: at(44) };
    const found = { startsAt: at(20), endsAt: at(44), missingName: 'Ana', because: 'absent' };
    expect(await gaps(rota)).toEqual([{ ...found, isConfirmed: false }]);
    const { refusal } = await call('confirmRotaGap', { ...period, startsAt: at(15) });
    expect(refusal).toMatchObject({ field: 'startsAt', message: expect.stringContaining('Somebody is on call') });
    expect((await call('confirmRotaGap', period)).refusal).toBeUndefined();
    expect(await gaps(rota)).toEqual([{ ...found, isConfirmed: true }]);
  });

  test('is shown for a person who is disabled, and stays when the person is deleted', async () => {
    const gone = await createUser(app.db, { customer: staff.customer, level: 20, displayName: 'Gone' });
    const { rota } = await addRota({ personUuids: [gone.uuid, ana!.uuid] });
    expect(await names(rota, at(0), at(10 * 24))).toEqual(['Gone', 'Ana']);
    await manager.data(
      'mutation ($uuid: UUID!) { updateUser(input: { uuid: $uuid, patch: { status: false } }) { user { uuid } } }',
      {
        uuid: gone.uuid,
      },
    );
    expect(await names(rota, at(0), at(10 * 24))).toEqual([null, 'Ana']);
    await manager.data('mutation ($uuid: UUID!) { deleteUser(input: { uuid: $uuid }) { clientMutationId } }', {
      uuid: gone.uuid,
    });
    expect(await gaps(rota)).toMatchObject([
      { missingName: 'Gone', because: 'inactive', isConfirmed: false },
      { missingName: 'Gone', because: 'inactive', isConfirmed: false, startsAt: '2026-03-16T00:00:00.000Z' },
    ]);
    const { rotaPeople } = await manager.data('{ rotaPeople { nodes { name isActive } } }');
    expect(rotaPeople.nodes).toContainEqual({ name: 'Gone', isActive: false });
  });
});

describe('a swap', () => {
  const ask = (layer: string, colleague: UserRow, more: Values, by: TestBrowser) =>
    call('askRotaSwap', { layerUuid: layer, colleagueUuid: colleague.uuid, ...more }, 'result { uuid }', by);
  const midnight = (days: number) => `${dayOf(days)}T00:00:00.000Z`;

  test('changes both shifts when the colleague accepts it, and not before', async () => {
    const { rota, layer } = await addRota();
    const asker = await app.browser(ben!);
    const colleague = await app.browser(cem!);
    const period = {
      startsAt: midnight(7),
      endsAt: midnight(14),
      backStartsAt: midnight(14),
      backEndsAt: midnight(21),
    };
    const { row, refusal } = await ask(layer, cem!, period, asker);
    expect(refusal).toBeUndefined();
    expect(await names(rota, midnight(7), midnight(21))).toEqual(['Ben', 'Cem']);
    const answer = { swapUuid: row.uuid };
    expect((await call('acceptRotaSwap', answer, 'result { state }', asker)).refusal).toBeDefined();
    expect((await call('acceptRotaSwap', answer, 'result { state }', colleague)).row).toEqual({ state: 'accepted' });
    expect(await names(rota, midnight(7), midnight(21))).toEqual(['Cem', 'Ben']);
    const again = await call('declineRotaSwap', answer, 'result { state }', colleague);
    expect(again.refusal?.message).toBe('This swap was already accepted.');
  });

  test('is refused for shifts of other people, and asked only once', async () => {
    const { layer } = await addRota();
    const asker = await app.browser(ben!);
    const notMine = await ask(layer, cem!, { startsAt: midnight(14), endsAt: midnight(21) }, asker);
    expect(notMine.refusal).toMatchObject({
      field: 'startsAt',
      message: expect.stringContaining('You are not on call'),
    });
    const wrongBack = {
      startsAt: midnight(7),
      endsAt: midnight(14),
      backStartsAt: midnight(21),
      backEndsAt: midnight(28),
    };
    expect((await ask(layer, cem!, wrongBack, asker)).refusal).toMatchObject({ field: 'backStartsAt' });
    const mine = { startsAt: midnight(8), endsAt: midnight(9) };
    expect((await ask(layer, cem!, mine, asker)).refusal).toBeUndefined();
    expect((await ask(layer, ana!, mine, asker)).refusal?.message).toContain('You have asked a colleague');
  });

  test('cannot be accepted after the shifts changed', async () => {
    const { layer } = await addRota();
    const { row } = await ask(layer, cem!, { startsAt: midnight(7), endsAt: midnight(14) }, await app.browser(ben!));
    const off = {
      layerUuid: layer,
      startsAt: midnight(8),
      endsAt: midnight(9),
      offUuid: ben!.uuid,
      coverUuid: ana!.uuid,
    };
    expect((await call('addRotaOverride', off)).refusal).toBeUndefined();
    const { refusal } = await call(
      'acceptRotaSwap',
      { swapUuid: row.uuid },
      'result { state }',
      await app.browser(cem!),
    );
    expect(refusal?.message).toBe('The shifts have changed since this request. Decline it, and ask again.');
  });
});

test('an override of the whole year keeps its days', async () => {
  const { rota, layer } = await addRota({ turnHours: 24 });
  await call('addRotaOverride', { layerUuid: layer, startsAt: at(24), endsAt: at(24 * 300), coverUuid: cem!.uuid });
  expect(new Set(await names(rota, at(25), at(24 * 299)))).toEqual(new Set(['Cem']));
  app.clock.advance(2 * DAY);
  manager = await app.browser(staff.manager);
  const [{ uuid }] = (await serviceQuery(
    app.db,
    'select uuid from tocsin.rota_override where tocsin_rota_layer_uuid = $1',
    [layer],
  )) as [{ uuid: string }];
  const { deleteRotaOverride } = await manager.data(
    'mutation ($uuid: UUID!) { deleteRotaOverride(input: { overrideUuid: $uuid }) { overrideUuid } }',
    { uuid },
  );
  expect(deleteRotaOverride.overrideUuid).toBe(uuid);
  // The shifts before the deletion were real, so they stay.
  expect(await names(rota, at(-12), at(0))).toEqual(['Cem', 'Cem']);
  expect(new Set(await names(rota, at(1), at(24 * 6)))).toEqual(new Set(['Ana', 'Ben', 'Cem']));
});
