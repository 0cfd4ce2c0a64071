import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertRow, serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { create, done, list, remove, save } from './api.ts';

let app: TestApp;
let staff: Staff;
let manager: TestBrowser;
let first: { uuid: string };
let second: { uuid: string };

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  manager = await app.browser(staff.manager);
  first = await done(create(manager, 'alarmDefaultMessage', { message: 'Look at {site}' }));
  second = await done(create(manager, 'alarmDefaultMessage', { message: 'Go to {site}' }));
});
afterAll(() => app?.close());

const use = (browser: TestBrowser, uuid: string) =>
  save(browser, 'useAlarmDefaultMessage', { uuid }, 'alarmDefaultMessage { uuid isUsed }');
const used = async () =>
  (await list(manager, 'alarmDefaultMessages', 'uuid isUsed')).filter((row) => row.isUsed).map((row) => row.uuid);

test('uses the first default message until another one is chosen', async () => {
  expect(await used()).toEqual([first.uuid]);
  expect(await done(use(manager, second.uuid))).toMatchObject({
    alarmDefaultMessage: { uuid: second.uuid, isUsed: true },
  });
  expect(await used()).toEqual([second.uuid]);
  await done(use(manager, second.uuid));
  expect(await used(), 'choosing it again changes nothing').toEqual([second.uuid]);
  const recorded = await serviceQuery(
    app.db,
    `select row_key, user_display_name as by, after -> 'is_used' as used from tocsin.audit
     where action = 'alarm_default_message.update' order by id`,
    [],
  );
  const by = staff.manager.display_name;
  expect(recorded).toEqual([
    { row_key: first.uuid, by, used: false },
    { row_key: second.uuid, by, used: true },
  ]);
});

test('keeps exactly one message in use when two people choose at the same time', async () => {
  const third = await done(create(manager, 'alarmDefaultMessage', { message: 'Call {site}' }));
  const owner = await app.browser(staff.owner);
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all([
      use(manager, first.uuid),
      use(owner, third.uuid),
      use(manager, second.uuid),
      use(owner, first.uuid),
    ]);
    expect(answers.map(({ refusal }) => refusal)).toEqual([undefined, undefined, undefined, undefined]);
    expect(await used()).toHaveLength(1);
  }
  await done(use(manager, second.uuid));
  await done(remove(manager, 'alarmDefaultMessage', third.uuid));
});

test('deletes an additional default message and refuses to delete the one in use', async () => {
  expect((await remove(manager, 'alarmDefaultMessage', second.uuid)).refusal).toEqual({
    code: 'BAD_USER_INPUT',
    field: 'uuid',
    message: 'Alarms use this message. Choose another default message first, then delete this one.',
  });
  expect(await done(remove(manager, 'alarmDefaultMessage', first.uuid))).toEqual({ uuid: first.uuid });
  expect(await list(manager, 'alarmDefaultMessages', 'uuid isUsed')).toEqual([{ uuid: second.uuid, isUsed: true }]);
});

test('only managers choose and delete default messages, and only those of their own customer', async () => {
  const other = await app.staff();
  const foreign = await insertRow(app.db, 'tocsin.alarm_default_message', {
    tocsin_customer_uuid: other.customer.uuid,
    message: 'Theirs',
  });
  const extra = await done(create(manager, 'alarmDefaultMessage', { message: 'Extra' }));
  const operator = await app.browser(staff.operator);
  for (const [browser, uuid, code] of [
    [manager, foreign.uuid, 'NOT_FOUND'],
    [operator, extra.uuid, 'FORBIDDEN'],
  ] as const) {
    expect((await use(browser, uuid)).refusal).toMatchObject({ code });
    expect((await remove(browser, 'alarmDefaultMessage', uuid)).refusal).toMatchObject({ code: 'NOT_FOUND' });
  }
  expect(await used()).toEqual([second.uuid]);
});
