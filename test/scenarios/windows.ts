/** Helpers that plan maintenance windows for scenarios, with times relative to the plant's clock. */
import { expect } from 'vitest';
import { linkUser, type UserRow } from '../harness/database/factories.ts';
import type { TestBrowser } from '../harness/server/app.ts';
import { Plant, type Station } from './plant.ts';

export const MINUTE = 60;
export const HOUR = 3600;

export const targets = {
  site: ({ site }: Station) => site.uuid,
  asset: ({ sensor }: Station) => sensor.assetUuid as string,
  sensor: ({ sensor }: Station) => sensor.uuid,
} as const;
export const scopes = Object.keys(targets) as (keyof typeof targets)[];

export const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

export async function call(browser: TestBrowser, name: string, input: object) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const { data, errors } = await browser.graphql(
    `mutation ($input: ${type}!) { ${name}(input: $input) { result { uuid name updatedAt endedAt endedHow endedByName next { startsAt endsAt } } } }`,
    { input },
  );
  const [error] = errors ?? [];
  return {
    window: data?.[name]?.result as {
      uuid: string;
      next: { startsAt: string; endsAt: string } | null;
    } & Record<string, any>,
    refusal: error && { message: error.message, field: error.extensions?.field as string | undefined },
  };
}

/** A plant with a manager, who plans windows, and an operator, to whom alarms escalate. */
export class PlannedPlant {
  readonly plant: Plant;
  readonly vera: UserRow;
  readonly olga: UserRow;

  private constructor(plant: Plant, vera: UserRow, olga: UserRow) {
    this.plant = plant;
    this.vera = vera;
    this.olga = olga;
  }

  static async start(): Promise<PlannedPlant> {
    const plant = await Plant.start();
    const vera = await plant.person({ name: 'Vera', level: 5 });
    return new PlannedPlant(plant, vera, await plant.person({ name: 'Olga' }));
  }

  /** Returns the date and the time of day in London, `seconds` after the next full minute. */
  local(seconds: number): { day: string; time: string } {
    const at = new Date(Math.ceil(this.plant.clock.now().getTime() / 60_000) * 60_000 + seconds * 1000);
    const [day = '', time = ''] = at.toLocaleString('sv-SE', { timeZone: 'Europe/London' }).split(' ');
    return { day, time: time.slice(0, 5) };
  }

  /** Returns the input of a window that is not repeated, with times relative to now. */
  windowOf(scope: string, targetUuid: string, from: number, to: number, suppresses = 'notifications') {
    const [start, end] = [this.local(from), this.local(to)];
    return {
      ...{ name: 'Pump service', scope, targetUuid, suppresses, repeats: 'once', firstDay: start.day },
      ...{ fromTime: start.time, toTime: end.time, days: daysBetween(start.day, end.day) },
    };
  }

  async save(input: object) {
    const { window, refusal } = await call(await this.plant.browser(this.vera), 'saveMaintenanceWindow', input);
    expect(refusal).toBeUndefined();
    return window;
  }

  async stationWithRule(): Promise<Station & { ruleUuid: string }> {
    const { plant, vera, olga } = this;
    const station = await plant.station();
    const { uuid } = await plant.rule(station, { name: 'High level' });
    const people = { alert: [vera], resolve: [vera], escalate: [olga] };
    await plant.alert(station.site, 'High level', people, { escalate_minutes: 15 });
    await linkUser(plant.db, olga, station.site);
    return { ...station, ruleUuid: uuid };
  }

  /** Returns the kinds of the notifications in order, such as 'alarm Vera'. */
  async notified({ site }: Station): Promise<string[]> {
    const rows = await this.plant.query(
      `select kind, recipient_name as name from tocsin.notification where tocsin_site_uuid = $1 order by sequence_number`,
      [site.uuid],
    );
    return rows.map(({ kind, name }) => `${kind} ${name}`);
  }
}
