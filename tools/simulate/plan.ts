import { type FrameFormat, frameFormats } from '../../domain/frame/frame.ts';
import type { Occasion } from './chance.ts';
import { builtInCurves, type Curves } from './curves.ts';

export const protocols = ['http', 'mqtt', 'tcp'] as const;
export type Protocol = (typeof protocols)[number];

/** A plan for simulating a plant. The same seed and times produce the same values. */
export interface Plan {
  seed?: string;
  /**
   * Server address for each protocol, such as http://localhost:8080, mqtt://localhost:1883 and tcp://localhost:5055.
   */
  server: Partial<Record<Protocol, string>>;
  sensors: SensorPlan[];
}

export interface SensorPlan {
  uid: string;
  token: string;
  protocol: Protocol;
  format: Exclude<FrameFormat, 'auto'>;
  everySeconds: number;
  channels: ChannelPlan[];
  gsm?: { provider?: string; signal?: number };
  /** The sensor neither measures nor sends while this occasion is active. */
  silence?: Occasion;
  /** Frames are corrupted while this occasion is active. */
  badFrames?: Occasion;
}

export interface ChannelPlan {
  /** Number or name of the channel in frames. */
  channel: string;
  kind: 'analog' | 'digital' | 'counter';
  /** Name of the curve that the channel normally follows, between `low` and `high`. */
  curve?: string;
  periodSeconds?: number;
  low?: number;
  high?: number;
  decimals?: number;
  /** Channels with the same key follow the same curve. Example: a level and its pump. */
  key?: number;
  /** Increase of a counter per hour. A counter has no curve. */
  perHour?: number;
  noise?: number;
  rhythm?: { by: number; peakHour: number };
  drift?: { perHour: number; when: Occasion };
  /**
   * Excursions to a value, either immediately or rising over `riseSeconds`. Random excursions with the same `key`
   * happen at the same time on all channels.
   */
  spikes?: { to: number; riseSeconds?: number; when: Occasion; key?: number }[];
  stuck?: Occasion;
}

export class PlanError extends Error {}

/** Validates a plan. Throws a PlanError that identifies the invalid field. */
export function readPlan(given: unknown, curves: Curves = {}): Plan {
  const plan = object(given, 'The plan');
  const server = object(plan.server, 'server');
  for (const [protocol, address] of Object.entries(server)) {
    const known = (protocols as readonly string[]).includes(protocol);
    if (!known || typeof address !== 'string' || !URL.canParse(address)) {
      throw new PlanError(`server.${protocol} must be an address. The protocols are ${protocols.join(', ')}.`);
    }
  }
  const sensors = list(plan.sensors, 'sensors').map((sensor, index) => {
    const where = `sensors[${index}]`;
    const { protocol, format, uid, token } = object(sensor, where);
    oneOf(protocol, protocols, `${where}.protocol`);
    oneOf(format, frameFormats.slice(1), `${where}.format`);
    text(uid, `${where}.uid`);
    text(token, `${where}.token`);
    if (server[protocol as Protocol] === undefined) {
      throw new PlanError(`${where} uses ${protocol}, but server has no address for it.`);
    }
    return readSensor(sensor as SensorPlan, where, curves);
  });
  return { ...(plan as unknown as Plan), sensors };
}

function readSensor(sensor: SensorPlan, where: string, curves: Curves): SensorPlan {
  positive(sensor.everySeconds, `${where}.everySeconds`);
  occasion(sensor.silence, `${where}.silence`);
  occasion(sensor.badFrames, `${where}.badFrames`);
  const channels = list(sensor.channels, `${where}.channels`) as ChannelPlan[];
  for (const [index, channel] of channels.entries()) {
    readChannel(object(channel, `${where}.channels[${index}]`) as never, `${where}.channels[${index}]`, curves);
  }
  const lines = sensor.format === 'csv' && channels.some(({ channel }) => !/^[1-9]\d{0,2}$/.test(channel));
  if (lines && sensor.protocol === 'tcp') {
    throw new PlanError(`${where}: CSV with named channels needs two lines, but a TCP frame has only one.`);
  }
  return sensor;
}

function readChannel(channel: ChannelPlan, where: string, curves: Curves): void {
  text(channel.channel, `${where}.channel`);
  oneOf(channel.kind, ['analog', 'digital', 'counter'], `${where}.kind`);
  if (channel.curve !== undefined) {
    oneOf(channel.curve, [...Object.keys(builtInCurves), ...Object.keys(curves)], `${where}.curve`);
  }
  if (channel.periodSeconds !== undefined) {
    positive(channel.periodSeconds, `${where}.periodSeconds`);
  }
  occasion(channel.stuck, `${where}.stuck`);
  occasion(channel.drift?.when, `${where}.drift.when`);
  for (const [index, spike] of (channel.spikes ?? []).entries()) {
    occasion(spike.when, `${where}.spikes[${index}].when`);
  }
  for (const name of ['low', 'high', 'decimals', 'key', 'perHour', 'noise'] as const) {
    if (channel[name] !== undefined && !Number.isFinite(channel[name])) {
      throw new PlanError(`${where}.${name} must be a number.`);
    }
  }
}

function occasion(given: unknown, where: string): void {
  if (given === undefined) {
    return;
  }
  const { chance, slotSeconds, everySeconds, forSeconds, from, to } = object(given, where);
  const moments = [from, ...(to === undefined ? [] : [to])];
  const fits =
    (isNumber(chance) && chance >= 0 && chance <= 1 && [slotSeconds, forSeconds].every(isPositiveOrAbsent)) ||
    (isNumber(everySeconds) && everySeconds > 0 && isNumber(forSeconds) && forSeconds >= 0) ||
    moments.every((moment) => typeof moment === 'string' && !Number.isNaN(Date.parse(moment)));
  if (!fits) {
    throw new PlanError(`${where} must be {chance}, {everySeconds, forSeconds} or {from, to}.`);
  }
}

const isNumber = (given: unknown): given is number => typeof given === 'number' && Number.isFinite(given);
const isPositiveOrAbsent = (given: unknown) => given === undefined || (isNumber(given) && given > 0);

function object(given: unknown, where: string): Record<string, unknown> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new PlanError(`${where} must be an object.`);
  }
  return given as Record<string, unknown>;
}

function list(given: unknown, where: string): unknown[] {
  if (!Array.isArray(given)) {
    throw new PlanError(`${where} must be a list.`);
  }
  return given;
}

function text(given: unknown, where: string): void {
  if (typeof given !== 'string' || given === '') {
    throw new PlanError(`${where} must be non-empty text.`);
  }
}

function oneOf(given: unknown, allowed: readonly string[], where: string): void {
  if (!allowed.includes(given as string)) {
    throw new PlanError(`${where} must be one of ${allowed.join(', ')}.`);
  }
}

function positive(given: unknown, where: string): void {
  if (!isNumber(given) || given <= 0) {
    throw new PlanError(`${where} must be a number above 0.`);
  }
}
