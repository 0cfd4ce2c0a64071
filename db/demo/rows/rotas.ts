import { dayOfClock, timeOfClock } from '../../../domain/on-call/local.ts';
import { localTime, startOfWeek } from '../../../domain/week.ts';
import { timeZone } from '../plant/names.ts';
import type { Customer } from '../plant/people.ts';
import { uuidOf } from '../random.ts';
import type { Rows } from './config.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

const nightsAndWeekends = [
  { weekdays: [1, 2, 3, 4, 5], from: '18:00', to: '08:00' },
  { weekdays: [6, 7], from: '00:00', to: '00:00' },
];

const layers = [
  {
    ...{ name: 'Primary', handover: '08:00', hours: [] },
    people: ['Owen Hughes', 'Ian McAllister', 'Demo Operator', 'Sara Köhler', 'Daniel Okafor'],
  },
  {
    ...{ name: 'Second line', handover: '18:00', hours: nightsAndWeekends },
    people: ['Ruth Adeyemi', 'Lena Voss', 'Priya Nair'],
  },
] as const;

const rotaUuid = (seed: string, customer: Customer) => uuidOf(seed, 'rota', customer.id);
const layerUuid = (rota: string, index: number) => uuidOf(rota, 'layer', index);
const hasRota = ({ people }: Customer) =>
  layers.every((layer) => layer.people.every((name) => people.some((person) => person.name === name)));

/** Adds the two layers of the rota and a third step to the escalation plan of a rule alert. */
export function addEscalationPlan(rows: Rows, seed: string, customer: Customer, alert: string, at: number): void {
  const boss = customer.people.find(({ name }) => name === 'Maya Lindqvist');
  if (!hasRota(customer) || !boss) return;
  const own = { tocsin_customer_uuid: customer.uuid, tocsin_rule_alert_uuid: alert };
  const rota = rotaUuid(seed, customer);
  const uuid = (...parts: (string | number)[]) => uuidOf(seed, 'plan', alert, ...parts);
  rows.ruleStep.push(
    { uuid: uuid(1), ...own, step: 1, wait_minutes: 0, repeat_count: 1, repeat_minutes: 10, created_at: at },
    { uuid: uuid(3), ...own, step: 3, wait_minutes: 20, repeat_count: 2, repeat_minutes: 15, created_at: at },
  );
  const recipient = (step: number, values: { tocsin_user_uuid?: string; tocsin_rota_layer_uuid?: string }) =>
    rows.ruleStepRecipient.push({
      ...{ uuid: uuid('recipient', step), ...own, step, tocsin_user_uuid: null, tocsin_rota_layer_uuid: null },
      ...values,
      created_at: at,
    });
  recipient(1, { tocsin_rota_layer_uuid: layerUuid(rota, 0) });
  recipient(2, { tocsin_rota_layer_uuid: layerUuid(rota, 1) });
  recipient(3, { tocsin_user_uuid: boss.uuid });
}

/** Adds a rota with two layers, a holiday with cover and a gap to the customer whose people are in it. */
export function addRota(rows: Rows, seed: string, customer: Customer, now: number): void {
  const personOf = (name: string) => customer.people.find((person) => person.name === name);
  if (!hasRota(customer)) return;
  const { year, month, day } = localTime(startOfWeek(new Date(now), timeZone), timeZone);
  /** The Monday of this week, on the clock of the zone. */
  const monday = Date.UTC(year, month - 1, day);
  const time = (days: number, hour: number) => timeOfClock(monday + days * DAY + hour * HOUR, timeZone);
  const own = { tocsin_customer_uuid: customer.uuid };
  const made = { created_at: now - 200 * DAY, updated_at: now - 40 * DAY };
  const rota = rotaUuid(seed, customer);
  rows.rota.push({ uuid: rota, ...own, name: 'Pump stations', ...made });
  const layerUuids = layers.map(({ name, handover, hours, people }, index) => {
    const uuid = layerUuid(rota, index);
    rows.rotaLayer.push({
      ...{ uuid, ...own, tocsin_rota_uuid: rota, name, position: index + 1, turn_hours: 168 },
      ...{ first_day: dayOfClock(monday), handover_time: handover, time_zone: timeZone, hours: JSON.stringify(hours) },
      ...made,
    });
    people.forEach((person, position) => {
      rows.rotaLayerPerson.push({
        ...{ uuid: uuidOf(uuid, 'person', position), ...own, tocsin_rota_layer_uuid: uuid, position: position + 1 },
        ...{ person_uuid: personOf(person)?.uuid, person_name: person },
      });
    });
    return uuid;
  });
  const override = (
    layer: number,
    values: { from: number; until: number; off: string; cover?: string; reason: string },
  ) => {
    const { from, until, off, cover, reason } = values;
    rows.rotaOverride.push({
      ...{ uuid: uuidOf(rota, 'override', layer, off), ...own, tocsin_rota_layer_uuid: layerUuids[layer] },
      ...{ starts_at: from, ends_at: until, off_uuid: personOf(off)?.uuid, off_name: off },
      ...{ cover_uuid: cover ? personOf(cover)?.uuid : null, cover_name: cover ?? '', reason },
      ...{ user_name: 'Maya Lindqvist', created_at: now - 9 * DAY },
    });
  };
  const ian = { off: 'Ian McAllister', cover: 'Sara Köhler', reason: 'holiday' };
  override(0, { ...ian, from: time(11, 8), until: time(14, 8) });
  // From Sunday on, the gap of the next weekend is shown.
  const lena = { off: 'Lena Voss', reason: 'leave', from: time(12, 8), until: time(13, 8) };
  const ruth = { off: 'Ruth Adeyemi', reason: 'leave', from: time(5, 8), until: time(6, 8) };
  override(1, now < ruth.from ? ruth : lena);
}
