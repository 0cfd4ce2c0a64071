import { noiseKey, randomOf, uuidOf } from '../random.ts';
import type { AlarmKind, PointKind, SiteKind } from './kind.ts';
import { kinds } from './kinds.ts';
import type { SiteName } from './names.ts';
import { namedSites, placeBegins, placeEnds, providers, streets } from './names.ts';
import type { Customer, Person } from './people.ts';
import { fictionalNumber } from './people.ts';
import { siteScripts } from './scripts.ts';

export interface Alarm {
  kind: AlarmKind;
  /** The alarm kind's message with the asset name filled in. It is the rule's name and the message of its alarms. */
  name: string;
  ruleUuid: string;
  alertUuid: string;
}

export interface Point {
  uuid: string;
  channelUuid: string;
  channelNumber: number;
  kind: PointKind;
  /** Usual range of values, within the range of the measurement's kind. */
  low: number;
  high: number;
  noise: number;
  alarms: readonly Alarm[];
}

export interface Asset {
  uuid: string;
  name: string;
  description: string;
  sensorUuid: string;
  uid: string;
  points: readonly Point[];
}

export interface Site {
  uuid: string;
  customer: Customer;
  siteId: string;
  name: string;
  kind: SiteKind;
  office: readonly [string, string, string, string];
  healthHours: number;
  createdAt: number;
  location: string;
  address: string;
  phone: string;
  provider: string;
  /** Signal strength in dBm; null if the site has no mobile network. */
  signal: number | null;
  assets: readonly Asset[];
  /** The rule alert that is used when the site is silent. */
  silentAlertUuid: string;
  /** Users who are notified when an alarm opens. */
  people: readonly Person[];
}

/** Returns the number of sites of each customer. */
export function shareSites(total: number): [number, number, number] {
  const second = Math.round(total * 0.1);
  const third = Math.round(total * 0.12);
  return [total - second - third, second, third];
}

/** Minimum number of sites, so that every customer has a site. All scripted open alarms need at least 20 sites. */
export const fewestSites = 10;

/** Shapes that share a random key at a site, because their curves belong together, such as a wet well and its pump. */
const together = new Set(['sawtooth', 'pumping', 'pumpCurrent', 'coldRoom', 'compressor', 'compressorCurrent']);

/**
 * Plans the site with number `index` of a customer. The lowest numbers belong to the named sites; the other sites are
 * generated.
 */
export function planSite(
  seed: string,
  customer: Customer,
  index: number,
  historyStart: number,
  leastHealthHours: number,
): Site {
  const random = randomOf(seed, 'site', customer.id, index);
  const named = namedSites[customer.id]?.[index] ?? madeUp(seed, customer, index);
  const kind: SiteKind = kinds[named.kind];
  const siteId = `${kind.code}-${String(named.number).padStart(4, '0')}`;
  const office = customer.offices.find((line) => line[3] === named.office)!;
  const place = randomOf(seed, 'office', customer.id, named.office);
  const latitude = customer.centre[0] + place.between(-0.3, 0.3) + random.between(-0.04, 0.04);
  const longitude = customer.centre[1] + place.between(-0.5, 0.5) + random.between(-0.07, 0.07);
  const healthHours = named.healthHours ?? kind.healthHours;
  const scripted = siteScripts[named.name]?.signal;
  const siteKey = noiseKey(seed, customer.id, siteId);
  return {
    uuid: uuidOf(seed, 'site', customer.id, siteId),
    customer,
    siteId,
    name: named.name,
    kind,
    office,
    healthHours: Math.max(leastHealthHours, healthHours),
    // The site is created shortly before its first reading. Otherwise the site would start with a long silence.
    createdAt: historyStart - Math.floor(random.between(30, 900)) * 1000 - random.whole(0, 86_000),
    location: `${latitude.toFixed(4)}, ${longitude.toFixed(4)}`,
    address: `${random.whole(1, 80)} ${random.pick(streets)}, ${named.office}`,
    phone: fictionalNumber(300 + customer.id * 211 + index * 13),
    provider: random.pick(providers),
    signal: scripted === undefined ? random.whole(-98, -56) : scripted,
    assets: kind.assets.map((asset, position) => {
      const name = named.assets?.[position] ?? asset.name;
      const key = [seed, customer.id, siteId, position + 1] as const;
      return {
        uuid: uuidOf('asset', ...key),
        name,
        description: asset.description,
        sensorUuid: uuidOf('sensor', ...key),
        uid: `${customer.prefix}-${siteId}-${position + 1}`,
        points: asset.points.map((point, number) => planPoint(key, name, point, number + 1, siteKey)),
      };
    }),
    silentAlertUuid: uuidOf(seed, 'alert', customer.id, siteId, 'silent'),
    people: customer.people.filter((one) => one.offices.includes(named.office) || one.sites.includes(named.name)),
  };
}

function planPoint(
  key: readonly (string | number)[],
  asset: string,
  kind: PointKind,
  number: number,
  siteKey: number,
): Point {
  const random = randomOf('point', ...key, number);
  const vary = kind.type === 2 && kind.low !== 0 ? (kind.high - kind.low) * 0.22 : 0;
  return {
    uuid: uuidOf('datapoint', ...key, number),
    channelUuid: uuidOf('channel', ...key, number),
    channelNumber: number,
    kind,
    low: kind.low + vary * random.next(),
    high: kind.high - vary * random.next(),
    noise: together.has(kind.shape) ? siteKey : noiseKey(...key, number),
    alarms: kind.alarms.map((alarm, which) => ({
      kind: alarm,
      name: alarm.message.replace('{asset}', asset),
      ruleUuid: uuidOf('rule', ...key, number, which),
      alertUuid: uuidOf('alert', ...key, number, which),
    })),
  };
}

function madeUp(seed: string, customer: Customer, index: number): SiteName {
  const random = randomOf(seed, 'name', customer.id, index);
  const kind = customer.kinds[index % customer.kinds.length]!;
  const place = `${random.pick(placeBegins)}${random.pick(placeEnds)}`;
  const suffix = kinds[kind].suffix;
  return {
    name: suffix === 'DMA' ? `${place} DMA ${random.whole(1, 9)}` : `${place} ${suffix}`,
    kind,
    number: 1001 + index,
    office: random.pick(customer.offices)[3],
  };
}

/** Returns all alarms that the measurements of a site can raise. */
export function alarmsOf(site: Site): { asset: Asset; point: Point; alarm: Alarm }[] {
  return site.assets.flatMap((asset) =>
    asset.points.flatMap((point) => point.alarms.map((alarm) => ({ asset, point, alarm }))),
  );
}
