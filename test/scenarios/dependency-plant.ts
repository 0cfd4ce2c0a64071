/** Stations whose rules depend on each other. */
import { linkUser, type UserRow } from '../harness/database/factories.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import { Plant, type Station } from './plant.ts';

export const names = ['Power', 'Pump', 'Flow'] as const;
export type Name = (typeof names)[number];

/** A station with three channels. Each channel has a rule with the channel's name, which opens an alarm above 100. */
export interface DependentStation extends Station {
  rules: Record<Name, string>;
}

export async function dependentStation(plant: Plant, vera: UserRow, olga: UserRow): Promise<DependentStation> {
  const station = await plant.station({ channels: names.map((name) => ({ name })) });
  const rules: Partial<Record<Name, string>> = {};
  for (const [index, name] of names.entries()) {
    const datapointUuid = station.sensor.channels[index]?.datapointUuid as string;
    rules[name] = (await plant.rule({ ...station, datapointUuid }, { name })).uuid;
    const people = { alert: [vera], resolve: [vera], escalate: [olga] };
    await plant.alert(station.site, name, people, { escalate_minutes: 15 });
  }
  await linkUser(plant.db, olga, station.site);
  return { ...station, rules: rules as Record<Name, string> };
}

/**
 * Advances the clock by a second and sends one request with several frames, oldest first. Each frame has values for
 * some of the channels.
 */
export async function sendFrames(
  plant: Plant,
  { sensor }: Station,
  frames: readonly Partial<Record<Name, number>>[],
): Promise<void> {
  const pipeline = plant.app.gateway?.pipeline;
  if (!pipeline) throw new Error('The app has no gateway.');
  const device = await pipeline.identify(sensor.uid, sensor.token);
  if (!device.ok) throw new Error(device.sentence);
  // A reading with the same time as an earlier reading would change no alarm.
  plant.clock.advance(1000);
  const now = plant.clock.now().getTime();
  const body = frames.map((frame, index) => ({
    time: now - (frames.length - index) * 10,
    ...Object.fromEntries(Object.entries(frame).map(([name, value]) => [names.indexOf(name as Name) + 1, value])),
  }));
  const answer = await pipeline.receive(device, { protocol: 'http', body: Buffer.from(JSON.stringify(body)) });
  if (!answer.ok) throw new Error(answer.sentence);
}

export interface Refusal {
  message: string;
  field: string | undefined;
}

/** Adds a dependency through the API. Returns the refusal, or undefined if the dependency was added. */
export async function depend(browser: TestBrowser, dependency: object): Promise<Refusal | undefined> {
  const { errors } = await browser.graphql(
    'mutation ($input: CreateDependencyInput!) { createDependency(input: $input) { dependency { uuid } } }',
    { input: { dependency } },
  );
  const [error] = errors ?? [];
  return error && { message: error.message, field: error.extensions?.field as string | undefined };
}

/** Returns the notifications of a rule's alarms in queue order. Each is a kind and a recipient, such as 'alarm Vera'. */
export async function notifiedOf(plant: Plant, { site }: Station, name: string): Promise<string[]> {
  const rows = await plant.query(
    `select n.kind, n.recipient_name as name from tocsin.notification n join tocsin.alarm a on a.uuid = n.tocsin_alarm_uuid
     where a.tocsin_site_uuid = $1 and a.rule_name = $2 order by n.sequence_number`,
    [site.uuid, name],
  );
  return rows.map(({ kind, name: person }) => `${kind} ${person}`);
}

/** Returns the open alarm of a rule. */
export async function openOf(plant: Plant, { site }: Station, name: string): Promise<any> {
  return (await plant.open(site)).find(({ rule_name }) => rule_name === name);
}

export async function kindsOf(plant: Plant, alarm: string): Promise<string[]> {
  const rows = await plant.query('select kind from tocsin.alarm_event where tocsin_alarm_uuid = $1 order by id', [
    alarm,
  ]);
  return rows.map(({ kind }) => kind);
}

/**
 * A station whose rules depend on each other, with shortcuts for the helpers of this file. `start` replaces the
 * station.
 */
export class Scene {
  station!: DependentStation;
  readonly vera: UserRow;
  readonly plant: Plant;
  readonly #olga: UserRow;

  constructor(plant: Plant, vera: UserRow, olga: UserRow) {
    this.plant = plant;
    this.vera = vera;
    this.#olga = olga;
  }

  static async open(): Promise<Scene> {
    const plant = await Plant.start();
    return new Scene(plant, await plant.person({ name: 'Vera', level: 5 }), await plant.person({ name: 'Olga' }));
  }

  /** Creates a new station. `causes` lists, for each rule, the rules on which it depends. */
  async start(causes: Partial<Record<Name, Name[]>> = { Flow: ['Power'] }): Promise<DependentStation> {
    this.station = await dependentStation(this.plant, this.vera, this.#olga);
    for (const [name, named] of Object.entries(causes)) {
      for (const cause of named) await this.depend(name as Name, cause);
    }
    return this.station;
  }

  async depend(name: Name, cause: Name): Promise<void> {
    const { rules } = this.station;
    await this.add({ tocsinRuleUuid: rules[name], causeRuleUuid: rules[cause] });
  }

  async add(dependency: object): Promise<void> {
    const refusal = await depend(await this.plant.browser(this.vera), dependency);
    if (refusal) throw new Error(refusal.message);
  }

  send(...frames: Partial<Record<Name, number>>[]): Promise<void> {
    return sendFrames(this.plant, this.station, frames);
  }

  notified(name: Name): Promise<string[]> {
    return notifiedOf(this.plant, this.station, name);
  }

  open(name: Name): Promise<any> {
    return openOf(this.plant, this.station, name);
  }

  async kinds(name: Name): Promise<string[]> {
    return kindsOf(this.plant, (await this.open(name)).uuid);
  }
}
