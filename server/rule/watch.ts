import type { CompiledConditions } from '../../domain/rule/conditions.ts';
import { type Limits, placeState, placeValue } from '../../domain/rule/limits.ts';
import type { Position } from '../../domain/rule/step.ts';

/** A rule that evaluates readings: a rule with limits, a digital alarm, or a multi-condition rule. */
export type Watch = LimitsWatch | DigitalWatch | ConditionsWatch;

interface Common {
  /** Uuid of the rule. For a digital alarm, the uuid of the data point. */
  readonly uuid: string;
  readonly version: number;
  /**
   * First version with the current evaluation settings. Later versions differ only in other settings, such as texts.
   */
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
  /** State of the channel that raises an alarm: 0 for low, 1 for high. */
  readonly alarmCondition: number;
}

export interface ConditionsWatch extends Common {
  readonly kind: 'conditions';
  readonly rule: CompiledConditions;
}

export const SHARDS = 64;

/**
 * Returns the shard for a uuid. A rule is sharded by the uuid of its sensor. A multi-condition rule can have several
 * sensors, so it is sharded by its own uuid.
 */
export function shardOf(uuid: string): number {
  return Number.parseInt(uuid.slice(-2), 16) % SHARDS;
}

/** Returns the position of a value relative to the limits or the alarm state. */
export function place(watch: LimitsWatch | DigitalWatch, value: number): Position {
  return watch.kind === 'limits' ? placeValue(watch.limits, value) : placeState(watch.alarmCondition, value);
}

/** Display settings of one data point of a channel. */
export interface ChannelDatapoint {
  datapointUuid: string;
  siteUuid: string;
  digital: boolean;
  lowText: string;
  highText: string;
  lowColor: string;
  highColor: string;
}

/** Fields of a channel that an evaluation needs. */
export interface EvaluatedChannel {
  readonly watches: readonly Watch[];
  readonly datapoints: readonly ChannelDatapoint[];
  /** Newest reading of the channel before the readings that are being evaluated. */
  readonly latest: { readonly time: number | null | undefined; readonly value: number };
}
