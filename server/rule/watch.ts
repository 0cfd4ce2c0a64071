import type { CompiledConditions } from '../../domain/rule/conditions.ts';
import { type Limits, placeState, placeValue } from '../../domain/rule/limits.ts';
import type { Position } from '../../domain/rule/step.ts';

/** What judges the readings of a datapoint: a rule with limits, the alarm state of a digital channel, or conditions of a site. */
export type Watch = LimitsWatch | DigitalWatch | ConditionsWatch;

interface Common {
  /** Of the rule, the multi-condition rule, or the datapoint of the digital channel. */
  readonly uuid: string;
  readonly version: number;
  /** The first version that judges as this one does: those between differ in words only. */
  readonly evaluatesSince: number;
  readonly shard: number;
  readonly holdMs: number;
}

export interface LimitsWatch extends Common {
  readonly kind: 'limits';
  readonly limits: Limits;
}

export interface DigitalWatch extends Common {
  readonly kind: 'digital';
  /** 0 the low state is the alarm, 1 the high state is. */
  readonly alarmCondition: number;
}

export interface ConditionsWatch extends Common {
  readonly kind: 'conditions';
  readonly rule: CompiledConditions;
}

export const SHARDS = 64;

/** The shard of a sensor, which its rules share. Conditions name several sensors and have a shard of their own. */
export function shardOf(uuid: string): number {
  return Number.parseInt(uuid.slice(-2), 16) % SHARDS;
}

/** Where a value stands for a rule of one datapoint. */
export function place(watch: LimitsWatch | DigitalWatch, value: number): Position {
  return watch.kind === 'limits' ? placeValue(watch.limits, value) : placeState(watch.alarmCondition, value);
}

/** How one datapoint shows a channel. */
export interface ChannelDatapoint {
  datapointUuid: string;
  siteUuid: string;
  digital: boolean;
  lowText: string;
  highText: string;
  lowColor: string;
  highColor: string;
}

/** A channel as far as judging goes. */
export interface EvaluatedChannel {
  readonly watches: readonly Watch[];
  readonly datapoints: readonly ChannelDatapoint[];
  /** Its newest reading before these. */
  readonly latest: { readonly time: number | null | undefined; readonly value: number };
}
