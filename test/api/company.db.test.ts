/** Settings of a user's own profile and of the customer. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPhoneNumber } from '../../domain/notification/phone-number.ts';
import { serviceQuery } from '../harness/database/factories.ts';
import { dialled, notDialled } from '../harness/provider/phone-numbers.ts';
import { type Staff, startTestApp, type TestApp, type TestBrowser } from '../harness/server/app.ts';
import { countRows, missing, save, update, type Values } from './api.ts';

const dials = (written: string) => readPhoneNumber(written) !== undefined;

let app: TestApp;
let staff: Staff;
let other: Staff;
let manager: TestBrowser;
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.staff();
  other = await app.staff();
  manager = await app.browser(staff.manager);
});
afterAll(() => app?.close());

describe('the methods of an owner', () => {
  const ways = { emailNotification: true, smsNotification: true, whatsappNotification: false, appsNotification: true };
  const choose = async (browser: TestBrowser, input: Values) => save(browser, 'setOwnChannels', input, 'saved');

  test('can be changed only by the owner, and the audit trail records it', async () => {
    const owner = await app.browser(staff.owner);
    expect((await choose(owner, { ...ways, phoneNumber: ' +49 151 23456789 ' })).row).toMatchObject({ saved: true });
    const [stored] = await serviceQuery(
      app.db,
      `select phone_number, email_notification, sms_notification, whatsapp_notification, apps_notification
       from tocsin.user where uuid = $1`,
      [staff.owner.uuid],
    );
    expect(stored).toEqual({
      phone_number: '+49 151 23456789',
      email_notification: true,
      sms_notification: true,
      whatsapp_notification: false,
      apps_notification: true,
    });
    const [audited] = await serviceQuery<{ who: string }>(
      app.db,
      `select tocsin_user_uuid as who from tocsin.audit where noun = 'user' and row_key = $1
       and after ->> 'phone_number' = '+49 151 23456789'`,
      [staff.owner.uuid],
    );
    expect(audited?.who).toBe(staff.owner.uuid);
  });

  test('need a phone number if they use one', async () => {
    const owner = await app.browser(staff.owner);
    expect((await choose(owner, { ...ways, phoneNumber: ' ' })).refusal).toMatchObject({
      code: 'BAD_USER_INPUT',
      field: 'phoneNumber',
    });
    const long = '+'.padEnd(33, '1');
    expect((await choose(owner, { ...ways, phoneNumber: long })).refusal).toMatchObject({ field: 'phoneNumber' });
  });

  test('accept no number that cannot be dialled, for owners and others, whether or not it is used', async () => {
    const owner = await app.browser(staff.owner);
    const refused = { code: 'BAD_USER_INPUT', field: 'phoneNumber', message: expect.stringContaining('country code') };
    const unused = { ...ways, smsNotification: false, whatsappNotification: false, phoneNumber: '12ab' };
    expect((await choose(owner, unused)).refusal).toMatchObject(refused);
    const change = (phoneNumber: string) => update(owner, 'user', staff.operator.uuid, { phoneNumber }, 'phoneNumber');
    expect((await change('12ab')).refusal).toMatchObject(refused);
    for (const phoneNumber of ['+44 7700 900001', '']) expect((await change(phoneNumber)).row).toEqual({ phoneNumber });
  });

  test('accept the numbers that the form and the senders accept, and no others', async () => {
    const judged = await serviceQuery<{ written: string; taken: boolean }>(
      app.db,
      'select written, tocsin_private.is_phone_number(written) as taken from unnest($1::text[]) written',
      [[...dialled.map(([written]) => written), ...notDialled]],
    );
    expect(judged.length).toBeGreaterThan(20);
    for (const { written, taken } of judged) expect([written, taken]).toEqual([written, dials(written)]);
  });
});

describe('the price of an SMS segment', () => {
  const price = async (browser: TestBrowser, input: Values) =>
    save(browser, 'setSmsPrice', input, 'customer { smsPrice smsCurrency }');

  test('is set by managers and returned unchanged', async () => {
    const said = await price(manager, { price: 0.0745, currency: 'EUR' });
    expect(said.row.customer).toEqual({ smsPrice: 0.0745, smsCurrency: 'EUR' });
    const [{ rows }] = (await serviceQuery(
      app.db,
      "select count(*)::integer as rows from tocsin.audit where noun = 'customer' and tocsin_customer_uuid = $1 and after ->> 'sms_currency' = 'EUR'",
      [staff.customer.uuid],
    )) as [{ rows: number }];
    expect(rows).toBe(1);
    expect((await price(manager, {})).row.customer).toEqual({ smsPrice: null, smsCurrency: null });
    expect(await countRows(app.db, 'customer', 'sms_price is not null', [])).toBe(0);
  });

  test.each([
    [{ price: 0, currency: 'EUR' }, 'price'],
    [{ price: 1001, currency: 'EUR' }, 'price'],
    [{ price: 0.07, currency: 'eur' }, 'currency'],
    [{ price: 0.07 }, 'currency'],
  ])('%o is refused at its field', async (input, field) => {
    expect((await price(manager, input)).refusal).toMatchObject({ code: 'BAD_USER_INPUT', field });
  });

  test('cannot be set by operators and partners', async () => {
    for (const person of [staff.operator, staff.partner]) {
      const browser = await app.browser(person);
      expect((await price(browser, { price: 1, currency: 'EUR' })).refusal?.code).toBe('FORBIDDEN');
    }
  });
});

describe('the company', () => {
  const fields = 'name email phone timeZone updatedAt';
  const mine = () => staff.customer.uuid;

  test('is changed by its owner, and the audit trail records it', async () => {
    const owner = await app.browser(staff.owner);
    const patch = {
      name: 'Example Water',
      email: 'office@example.com',
      phone: '+49 30 1234567',
      timeZone: 'Europe/Berlin',
    };
    expect((await update(owner, 'customer', mine(), patch, fields)).row).toMatchObject(patch);
    const [record] = await serviceQuery<{ user_display_name: string; before: Values; after: Values }>(
      app.db,
      "select * from tocsin.audit where noun = 'customer' and row_key = $1 order by id desc limit 1",
      [mine()],
    );
    expect(record).toMatchObject({
      action: 'customer.update',
      tocsin_user_uuid: staff.owner.uuid,
      before: { time_zone: 'UTC' },
      after: { name: 'Example Water', time_zone: 'Europe/Berlin' },
    });
  });

  test('is not overwritten by an outdated change', async () => {
    const owner = await app.browser(staff.owner);
    const { updatedAt } = (await update(owner, 'customer', mine(), { phone: '' }, fields)).row;
    app.clock.advance(1000);
    const seen = { updatedAt, phone: '+49 30 1234567' };
    expect((await update(owner, 'customer', mine(), seen, fields)).row).toMatchObject({ phone: '+49 30 1234567' });
    expect((await update(owner, 'customer', mine(), { ...seen, phone: '' })).refusal?.code).toBe('CONFLICT');
  });

  test.each(['0049 (30) 123 45-67', '+49 (0)30 1234567', '\u202A+44\u00A07700\u2011900001\u202C', ''])(
    'takes %j as a phone number, as the console does',
    async (phone) => {
      const owner = await app.browser(staff.owner);
      expect((await update(owner, 'customer', mine(), { phone }, fields)).row).toMatchObject({ phone });
    },
  );

  test.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ email: 'office' }, 'email'],
    [{ phone: '12ab' }, 'phone'],
    [{ phone: '030 1234567' }, 'phone'],
    [{ phone: '+49 170 CALLME' }, 'phone'],
    [{ timeZone: 'Europe/Nowhere' }, 'timeZone'],
    [{ timeZone: 'posix/Europe/Berlin' }, 'timeZone'],
    [{ timeZone: '' }, 'timeZone'],
  ])('%o is refused at its field', async (patch, field) => {
    const owner = await app.browser(staff.owner);
    expect((await update(owner, 'customer', mine(), patch)).refusal).toMatchObject({ code: 'BAD_USER_INPUT', field });
  });

  test('can be changed only by its own owner', async () => {
    for (const person of [staff.manager, staff.operator, staff.partner]) {
      expect((await update(await app.browser(person), 'customer', mine(), { name: 'Ours' })).refusal).toMatchObject(
        missing,
      );
    }
    const owner = await app.browser(staff.owner);
    expect((await update(owner, 'customer', other.customer.uuid, { name: 'Ours' })).refusal).toMatchObject(missing);
    expect(await countRows(app.db, 'customer', "name = 'Ours'", [])).toBe(0);
  });

  test.each(['endPoint', 'status', 'tableName', 'tocsinPartnerId', 'smsPrice'])(
    'has no %s that an owner can change',
    async (field) => {
      const owner = await app.browser(staff.owner);
      expect((await update(owner, 'customer', mine(), { [field]: 1 })).refusal?.message).toMatch(
        /not defined by type "CustomerPatch"/,
      );
    },
  );

  test('every selectable time zone works on the server', async () => {
    const owner = await app.browser(staff.owner);
    const { timeZones } = await owner.data('{ timeZones }');
    expect(timeZones).toEqual(expect.arrayContaining(['UTC', 'Europe/Berlin', 'America/New_York']));
    expect(timeZones.filter((timeZone: string) => !new Intl.DateTimeFormat('en', { timeZone }))).toEqual([]);
  });
});
