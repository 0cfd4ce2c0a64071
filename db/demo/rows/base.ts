import type { Span } from '../history/history.ts';
import { otherMessage, waysTo } from '../history/messages.ts';
import { partners, timeZone } from '../plant/names.ts';
import type { Customer } from '../plant/people.ts';
import { uuidOf } from '../random.ts';
import type { Rows } from './config.ts';
import { addMessages } from './records.ts';
import { addRota } from './rotas.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

export const defaultMessages = [
  '{site}: {asset} {datapoint} is out of limits',
  '{site}: {datapoint} is {value} {unit}, alarm {limit}, at {time}',
  '{site}, {asset}: {datapoint} {value} {unit} (alarm {limit}), {time}',
] as const;

/** Adds the rows that exist before the first site: partners, customers, users, groups and default messages. */
export function addBase(
  rows: Rows,
  seed: string,
  customers: readonly Customer[],
  span: Span,
  hashes: ReadonlyMap<string, string>,
): void {
  const founded = span.start - 1000 * DAY;
  const made = { created_at: founded, updated_at: founded };
  for (const { id, name, domain, phone } of partners) {
    rows.partner.push({
      uuid: uuidOf(seed, 'partner', id),
      id,
      name,
      email: `office@${domain}`,
      end_point: domain,
      phone,
      ...made,
    });
  }
  for (const customer of customers) {
    const own = { tocsin_customer_uuid: customer.uuid };
    rows.customer.push({
      uuid: customer.uuid,
      id: customer.id,
      tocsin_partner_id: customer.partner,
      name: customer.name,
      email: `control@${customer.domain}`,
      end_point: customer.domain,
      phone: `+44 7700 90001${customer.id}`,
      table_name: customer.table,
      time_zone: timeZone,
      ...made,
    });
    customer.people.forEach((person, index) => {
      const joined = founded + index * 11 * DAY + 9 * HOUR;
      rows.user.push({
        uuid: person.uuid,
        ...own,
        username: person.username,
        display_name: person.name,
        email: person.email,
        phone_number: person.phone,
        level: person.level,
        status: person.active,
        varified: true,
        email_notification: person.methods.includes(1),
        whatsapp_notification: person.methods.includes(2),
        sms_notification: person.methods.includes(3),
        apps_notification: person.methods.includes(4),
        tocsin_partner_account: person.partnerAccount,
        created_at: joined,
        updated_at: joined,
      });
      const hash = hashes.get(person.email);
      if (person.signIn && hash)
        rows.credential.push({ user_uuid: person.uuid, password_hash: hash, changed_at: joined });
    });
    for (const group of customer.groups) rows.group.push({ ...own, ...group, ...made });
    defaultMessages.forEach((message, index) => {
      const uuid = uuidOf(seed, 'default-message', customer.id, index);
      rows.defaultMessage.push({ uuid, ...own, message, is_used: index === 0, ...made });
    });
    addSpares(rows, seed, customer, founded);
    addRota(rows, seed, customer, span.now);
    addTests(rows, seed, customer, span);
  }
}

/** Adds two spare sensors: one disabled, one in maintenance. */
function addSpares(rows: Rows, seed: string, customer: Customer, at: number): void {
  const made = { created_at: at, updated_at: at };
  for (const [number, status, description] of [
    [1, 0, 'Spare, taken out of use'],
    [2, 2, 'Spare, in repair'],
  ] as const) {
    const sensor = spareUuid(seed, customer, number);
    rows.sensor.push({
      uuid: sensor,
      tocsin_customer_uuid: customer.uuid,
      uid: `${customer.prefix}-SPARE-${number}`,
      status,
      sensor_type: 2,
      description,
      last_contact: null,
      ...made,
    });
    rows.channel.push({
      uuid: uuidOf(sensor, 'channel'),
      tocsin_customer_uuid: customer.uuid,
      tocsin_sensor_uuid: sensor,
      name: 'Input 1',
      channel_number: 1,
      channel_title_text: 'Input 1',
      channel_alarm_color: '#c6162b',
      channel_alarm_condition: 2,
      channel_major_alarm_status: false,
      channel_low_text: '',
      channel_high_text: '',
      ...made,
    });
  }
}

export function spareUuid(seed: string, customer: Customer, number: number): string {
  return uuidOf(seed, 'spare', customer.id, number);
}

/** Adds the test messages that managers send themselves every Monday morning. */
function addTests(rows: Rows, seed: string, customer: Customer, span: Span): void {
  for (let monday = span.start + DAY + 7 * DAY + 7 * HOUR; monday < span.now; monday += 7 * DAY) {
    const text = `This is a test message from ${customer.name}. No action is needed.`;
    const messages = customer.escalation.flatMap((person) =>
      waysTo(person).map((method) => otherMessage(seed, person, method, text, monday)),
    );
    addMessages(rows, customer.uuid, null, messages);
  }
}
