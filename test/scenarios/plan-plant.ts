/** Rotas and escalation plans of a plant. */
import { insertRow, type UserRow } from '../harness/database/factories.ts';
import type { Plant } from './plant.ts';

const MINUTE = 60_000;

export interface TestLayer {
  uuid: string;
  /** The name in timelines. */
  name: string;
}

let count = 0;

/**
 * Adds a rota with one layer. The last person is on call until the handover in `minutes` whole minutes, then the first
 * one.
 */
export async function addLayer(plant: Plant, people: readonly UserRow[], minutes = 720): Promise<TestLayer> {
  count += 1;
  const own = { tocsin_customer_uuid: plant.customer.uuid };
  const handover = new Date(Math.floor(plant.clock.now().getTime() / MINUTE) * MINUTE + minutes * MINUTE).toISOString();
  const rota = await insertRow<{ uuid: string }>(plant.db, 'tocsin.rota', { ...own, name: `Rota ${count}` });
  const layer = await insertRow<{ uuid: string }>(plant.db, 'tocsin.rota_layer', {
    ...{ ...own, tocsin_rota_uuid: rota.uuid, name: 'Primary', position: 1, turn_hours: 24, time_zone: 'UTC' },
    ...{ first_day: handover.slice(0, 10), handover_time: handover.slice(11, 16) },
  });
  for (const [position, { uuid }] of people.entries()) {
    await insertRow(plant.db, 'tocsin.rota_layer_person', {
      ...{ ...own, tocsin_rota_layer_uuid: layer.uuid, position, person_uuid: uuid, person_name: 'Somebody' },
    });
  }
  return { uuid: layer.uuid, name: `Rota ${count}, Primary` };
}

/** Adds an override to a layer from now on, for a number of minutes. Without `cover`, nobody is on call. */
export async function addOverride(
  plant: Plant,
  layer: TestLayer,
  values: { off?: UserRow; cover?: UserRow; minutes: number },
): Promise<void> {
  const now = plant.clock.now().getTime();
  await insertRow(plant.db, 'tocsin.rota_override', {
    ...{ tocsin_customer_uuid: plant.customer.uuid, tocsin_rota_layer_uuid: layer.uuid, user_name: 'Somebody' },
    ...{ starts_at: new Date(now - MINUTE), ends_at: new Date(now + values.minutes * MINUTE), reason: 'holiday' },
    ...{ off_uuid: values.off?.uuid ?? null, cover_uuid: values.cover?.uuid ?? null },
  });
}

export interface TestStep {
  step: number;
  wait?: number;
  repeats?: number;
  every?: number;
  people?: UserRow[];
  layers?: TestLayer[];
}

/** Adds steps to a rule alert. The people of steps 1 and 2 are in the rule alert itself. */
export async function addSteps(plant: Plant, alert: { uuid: string }, steps: readonly TestStep[]): Promise<void> {
  const own = { tocsin_customer_uuid: plant.customer.uuid, tocsin_rule_alert_uuid: alert.uuid };
  for (const { step, wait = 0, repeats = 0, every = 15, people = [], layers = [] } of steps) {
    if (step !== 2) {
      const times = { wait_minutes: wait, repeat_count: repeats, repeat_minutes: every };
      await insertRow(plant.db, 'tocsin.rule_step', { ...own, step, ...times });
    }
    for (const { uuid } of people) {
      await insertRow(plant.db, 'tocsin.rule_step_recipient', { ...own, step, tocsin_user_uuid: uuid });
    }
    for (const { uuid } of layers) {
      await insertRow(plant.db, 'tocsin.rule_step_recipient', { ...own, step, tocsin_rota_layer_uuid: uuid });
    }
  }
}
