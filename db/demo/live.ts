import { isHaltedBy, planHistory, type SiteHistory } from './history/history.ts';
import { planCustomers } from './plant/people.ts';
import { type Asset, type Point, planSite, type Site, shareSites } from './plant/plant.ts';
import type { ShapeName } from './plant/shapes.ts';
import { randomOf } from './random.ts';
import { scaleOf } from './scale.ts';

/** The parameters of the loaded plant, from tocsin_private.installation. */
export interface DemoFacts {
  seed: string;
  sites: number;
  from: string;
  now: string;
}

/** A random event: its chance in each time slot, and its duration. */
interface NowAndThen {
  chance: number;
  slotSeconds?: number;
  forSeconds?: number;
}

/**
 * Parameters for the live values of a channel. The values follow the usual curve, or stay near the last value if an
 * alarm is open.
 */
export interface LiveChannel {
  kind: 'analog' | 'digital' | 'counter';
  curve: ShapeName | 'flat';
  low: number;
  high: number;
  decimals: number;
  key: number;
  noise?: number;
  /** Random peaks of the value. Peaks with the same key happen at the same time. */
  spikes?: { to: number; riseSeconds: number; when: NowAndThen; key?: number }[];
  stuck?: NowAndThen;
}

export interface LiveSensor {
  sensorUuid: string;
  /** Channels, keyed by uuid. */
  channels: Map<string, LiveChannel>;
  gsm?: { provider: string; signal: number };
  silence?: NowAndThen;
  badFrames?: NowAndThen;
}

const HOUR = 3600;
const kindNames = { 1: 'digital', 2: 'analog', 3: 'counter' } as const;

/** Live events are this many times more frequent than in the history, because a demo lasts minutes, not weeks. */
const BUSIER = 8;

/**
 * Plans the live values of the sensors at all sites that are not silent. The values continue from the end of the
 * history.
 */
export function planLiveSensors({ seed, sites, from, now }: DemoFacts): LiveSensor[] {
  const { leastHealthHours, rate } = scaleOf(sites);
  const span = { start: Date.parse(from), now: Date.parse(now), rate };
  const shares = shareSites(sites);
  return planCustomers(seed).flatMap((customer, which) =>
    Array.from({ length: shares[which] as number }, (_, index) => {
      const site = planSite(seed, customer, index, span.start, leastHealthHours);
      const history = planHistory(seed, site, span);
      // Silent sites stay silent, because the demo must show silent sites.
      return history.status === 3 ? [] : site.assets.map((asset) => planSensor(seed, site, asset, history));
    }).flat(),
  );
}

function planSensor(seed: string, site: Site, asset: Asset, history: SiteHistory): LiveSensor {
  const random = randomOf(seed, 'live', asset.uid);
  const channels = new Map(asset.points.map((point) => [point.channelUuid, planChannel(point, asset, history)]));
  const trouble = random.next();
  const stuck = [...channels.values()].find(({ kind }) => kind === 'analog');
  if (trouble > 0.98 && stuck) stuck.stuck = { chance: 0.2, slotSeconds: 2 * HOUR, forSeconds: 900 };
  return {
    sensorUuid: asset.sensorUuid,
    channels,
    ...(site.signal !== null && { gsm: { provider: site.provider, signal: site.signal } }),
    ...(trouble < 0.03 && { silence: { chance: 0.25, slotSeconds: 2 * HOUR, forSeconds: 600 } }),
    ...(trouble >= 0.03 && trouble < 0.08 && { badFrames: { chance: 0.02 } }),
  };
}

function planChannel(point: Point, asset: Asset, history: SiteHistory): LiveChannel {
  const { kind, low, high, noise } = point;
  const usual = { kind: kindNames[kind.type], decimals: kind.decimals, key: noise };
  const open = history.episodes.find((episode) => episode.point === point && episode.to === undefined);
  if (open) {
    const { side, limit } = open.alarm.kind;
    const now = side === 'above' ? limit + open.far : side === 'below' ? limit - open.far : limit;
    // Keeps the noise small, so that the value of an open alarm stays outside its limit.
    const unrest = side === 'state' ? 0 : Math.min(10 ** -kind.decimals, open.far / 3);
    return { ...usual, curve: 'flat', low: now, high: now, noise: unrest };
  }
  if (history.episodes.some((episode) => episode.to === undefined && isHaltedBy(point, episode))) {
    return { ...usual, curve: 'flat', low: 0, high: 0 };
  }
  const halting = asset.points.find((other) => other.kind.name === kind.haltedBy);
  const isHalting = asset.points.some((other) => other.kind.haltedBy === kind.name);
  const spikes = [
    ...spikesOf(point).map((spike, which) => ({ ...spike, ...(isHalting && { key: noise + which }) })),
    ...(halting ? spikesOf(halting) : []).map(({ when }, which) => ({
      ...{ to: 0, riseSeconds: 0, when },
      key: (halting?.noise ?? 0) + which,
    })),
  ];
  return { ...usual, curve: kind.shape, low, high, ...(spikes.length > 0 && { spikes }) };
}

function spikesOf({ alarms }: Point) {
  return alarms.map(({ kind: { side, limit, far, perWeek, minutes } }) => ({
    to: side === 'above' ? limit + far * 0.7 : side === 'below' ? limit - far * 0.7 : limit,
    riseSeconds: side === 'state' ? 0 : Math.min(minutes, 40) * 20,
    when: { chance: (perWeek * BUSIER) / 28, slotSeconds: 6 * HOUR, forSeconds: Math.min(minutes, 40) * 60 },
  }));
}
