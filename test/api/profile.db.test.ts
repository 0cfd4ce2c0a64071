/** A user's own settings: start page, locale and notification methods. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serviceQuery } from '../harness/database/factories.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { save, type Values } from './api.ts';

let app: TestApp;
let staff: Staff;

beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
});
afterAll(() => app?.close());

const choose = (browser: TestBrowser, input: Values) => save(browser, 'setOwnProfile', input, 'saved');
const methods = {
  emailNotification: false,
  smsNotification: false,
  whatsappNotification: false,
  appsNotification: true,
};
const stored = async (uuid: string) =>
  (await serviceQuery(app.db, 'select * from tocsin.user where uuid = $1', [uuid]))[0];

test.each(['owner', 'manager', 'operator'] as const)(
  'a person of each level chooses start page and locale, and sign-in answers them (%s)',
  async (role) => {
    const browser = await app.browser(staff[role]);
    const status = async () => (await browser.get('/api/v1/auth/login')).json().user;
    expect(await status()).toMatchObject({ start_page: null, locale: '' });
    expect((await choose(browser, { startPage: 'alarms', locale: 'de-CH' })).row).toMatchObject({ saved: true });
    expect(await status()).toMatchObject({ start_page: 'alarms', locale: 'de-CH' });
  },
);

test('changes only the profile of the user, and records the change', async () => {
  const people = await app.staff();
  await choose(await app.browser(people.operator), { startPage: 'dashboard', locale: 'en-US' });
  expect(await stored(people.manager.uuid)).toMatchObject({ start_page: null, locale: '' });
  const [row] = await serviceQuery(
    app.db,
    "select tocsin_user_uuid as who from tocsin.audit where row_key = $1 and after ->> 'locale' = 'en-US'",
    [people.operator.uuid],
  );
  expect(row.who).toBe(people.operator.uuid);
});

test('an unknown start page or locale is refused at its field', async () => {
  const browser = await app.browser(staff.operator);
  expect((await choose(browser, { startPage: 'kitchen', locale: '' })).refusal).toMatchObject({
    code: 'BAD_USER_INPUT',
    field: 'startPage',
    message: 'Choose reports, dashboard, alarms or my-work.',
  });
  for (const locale of ['german', 'de_DE', 'de-DE; drop', 'x'.repeat(50)]) {
    expect((await choose(browser, { startPage: 'reports', locale })).refusal).toMatchObject({
      field: 'locale',
      message: 'Enter a language tag such as en-GB or de-CH, or leave it empty.',
    });
  }
});

test.each(['manager', 'operator'] as const)('a person switches their own notification methods (%s)', async (role) => {
  const browser = await app.browser(staff[role]);
  const outcome = await save(browser, 'setOwnChannels', { ...methods, phoneNumber: '' }, 'saved');
  expect(outcome.row).toMatchObject({ saved: true });
  expect(await stored(staff[role].uuid)).toMatchObject({ email_notification: false, apps_notification: true });
});

test('refuses notification methods for a service account', async () => {
  const browser = await app.browser(staff.partner);
  const outcome = await save(browser, 'setOwnChannels', { ...methods, phoneNumber: '' }, 'saved');
  expect(outcome.refusal).toMatchObject({ code: 'FORBIDDEN' });
});
