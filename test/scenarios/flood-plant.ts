/** A site whose alarms can be opened together, and helpers that read the notifications of its recipients. */
import type { UserRow } from '../harness/database/factories.ts';
import type { TestApp } from '../harness/server/app.ts';
import type { Plant, Station } from './plant.ts';

export interface FloodStation extends Station {
  /** Uuids of the rules, one for each channel. Every tenth rule is major, and all others are minor. */
  rules: string[];
}

export interface FloodPeople {
  alert?: UserRow[];
  resolve?: UserRow[];
  escalate?: UserRow[];
}

/** Adds a site with a rule for each of `size` channels. The recipients of all rules are in one rule alert. */
export async function floodStation(
  plant: Plant,
  people: FloodPeople,
  { size = 30, name, alert = {} }: { size?: number; name?: string; alert?: Record<string, unknown> } = {},
): Promise<FloodStation> {
  const channels = Array.from({ length: size }, (_, index) => ({ name: `Point ${index + 1}` }));
  const station = await plant.station({ channels, ...(name !== undefined && { name }) });
  const rules: string[] = [];
  for (const [index, { datapointUuid }] of station.sensor.channels.entries()) {
    const { uuid } = await plant.rule(
      { ...station, datapointUuid },
      { name: 'Storm', message: `Point ${index + 1} is high`, priority: index % 10 === 9 ? 'high' : 'medium' },
    );
    rules.push(uuid);
  }
  await plant.alert(station.site, 'Storm', people, alert);
  return { ...station, rules };
}

/**
 * Sends one frame with the same value for all channels from number `from` to number `to`. The first channel has number
 * 1.
 */
export async function sendAll(
  plant: Plant,
  station: FloodStation,
  value: number,
  [from, to]: readonly [number, number],
  app: TestApp = plant.app,
): Promise<void> {
  const pipeline = app.gateway?.pipeline;
  if (!pipeline) throw new Error('The app has no gateway.');
  const device = await pipeline.identify(station.sensor.uid, station.sensor.token);
  if (!device.ok) throw new Error(device.sentence);
  const values = Array.from({ length: to - from + 1 }, (_, index) => [String(from + index), value]);
  const body = Buffer.from(JSON.stringify([{ time: plant.clock.now().getTime(), ...Object.fromEntries(values) }]));
  const answer = await pipeline.receive(device, { protocol: 'http', body });
  if (!answer.ok) throw new Error(answer.sentence);
}

/** Advances the clock by one second and opens the alarms of these channels. */
export async function raise(plant: Plant, station: FloodStation, from: number, to = from): Promise<void> {
  await plant.pass(1);
  await sendAll(plant, station, 150, [from, to]);
}

/** Advances the clock by one second and resolves the alarms of these channels. */
export async function clear(plant: Plant, station: FloodStation, from: number, to = from): Promise<void> {
  await plant.pass(1);
  await sendAll(plant, station, 50, [from, to]);
}

/**
 * Returns the notifications of the site in the order in which they were queued, such as `alarm Vera` or `digest Vera`.
 */
export async function heard(plant: Plant, station: FloodStation): Promise<string[]> {
  const rows = await plant.query(
    `select n.kind || ' ' || n.recipient_name as heard from tocsin.notification n where n.tocsin_site_uuid = $1 order by n.sequence_number`,
    [station.site.uuid],
  );
  return rows.map((row) => row.heard);
}

export async function digestTextsOf(plant: Plant, station: FloodStation): Promise<string[]> {
  const rows = await plant.query(
    `select n.notify_message as text from tocsin.notification n where n.tocsin_site_uuid = $1 and n.kind = 'digest' order by n.sequence_number`,
    [station.site.uuid],
  );
  return rows.map(({ text }) => text);
}

export async function floodsOf(plant: Plant): Promise<any[]> {
  return plant.query(`select * from tocsin.alarm_flood where tocsin_customer_uuid = $1 order by began_at, uuid`, [
    plant.customer.uuid,
  ]);
}

/** Resolves all alarms and waits until no alarm escalates, no flood is active and no entry waits for a digest. */
export async function calmDown(plant: Plant): Promise<void> {
  await plant.query(
    'update tocsin.alarm set resolved_date = greatest(date_time, $1), next_escalation_at = null where resolved_date is null',
    [plant.clock.now()],
  );
  await plant.pass(3600);
  await plant.pass(65);
}
