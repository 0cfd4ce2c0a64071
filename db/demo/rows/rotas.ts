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

/** Adds a rota with two layers, a holiday with cover and a gap to the customer whose people are in it. */
export function addRota(rows: Rows, seed: string, customer: Customer, now: number): void {
  const personOf = (name: string) => customer.people.find((person) => person.name === name);
  if (!layers.every(({ people }) => people.every(personOf))) return;
  const { year, month, day } = localTime(startOfWeek(new Date(now), timeZone), timeZone);
  /** The Monday of this week, on the clock of the zone. */
  const monday = Date.UTC(year, month - 1, day);
  const time = (days: number, hour: number) => timeOfClock(monday + days * DAY + hour * HOUR, timeZone);
  const own = { tocsin_customer_uuid: customer.uuid };
  const made = { created_at: now - 200 * DAY, updated_at: now - 40 * DAY };
  const rota = uuidOf(seed, 'rota', customer.id);
  rows.rota.push({ uuid: rota, ...own, name: 'Pump stations', ...made });
  const layerUuids = layers.map(({ name, handover, hours, people }, index) => {
    const uuid = uuidOf(rota, 'layer', index);
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
