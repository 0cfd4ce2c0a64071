import type { Measured } from '../../kit/format/value.ts';
import { rowsOf } from '../../kit/list/list.ts';
import type { AlarmHolders, AlarmReading } from './alarm.queries.ts';
import { newestDatapoint } from './alarm-datapoint.ts';
import { type Criteria, readCriteria } from './criteria.ts';
import { isInside, type OutsideWords, outsideWords } from './value-outside.ts';

/** Another rule with the same message at the same site that keeps the alarm open. */
export interface HoldingRule extends Measured {
  ruleUuid: string;
  ruleName: string;
  /** Null for a rule with conditions, which does not belong to a single data point. */
  datapointName: string | null;
  criteria: Criteria | null;
  /** True while the value is back to normal but the debounce is still running. */
  isClearing: boolean;
}

export function holdingRulesOf({ otherHolders }: AlarmHolders): HoldingRule[] {
  return rowsOf(otherHolders).map(({ ruleUuid, ruleName, datapointName, criteria, isClearing, ...point }) => ({
    ruleUuid: ruleUuid ?? '',
    ruleName: ruleName ?? '',
    datapointName,
    criteria: readCriteria(criteria),
    isClearing: isClearing === true,
    latestValue: point.latestValue,
    uom: point.uom ?? '',
    sensorType: point.sensorType ?? 0,
    datapointTitleText: point.datapointTitleText ?? '',
  }));
}

/** Returns true if another rule keeps the alarm open, even if the alarm's own value is back to normal. */
export function isHeldOpen(alarm: AlarmHolders): boolean {
  return rowsOf(alarm.otherHolders).some(({ isClearing }) => !isClearing);
}

/** Returns a warning that another rule would open the same alarm again; null if no other rule keeps the alarm open. */
export function heldOpenWords(alarm: AlarmHolders, locale?: string): OutsideWords | null {
  const [holder] = holdingRulesOf(alarm).filter(({ isClearing }) => !isClearing);
  if (!holder) return null;
  const { criteria, datapointName, ruleName } = holder;
  const still = criteria && outsideWords(criteria, datapointName ?? ruleName, holder, false, locale);
  if (still && criteria.kind !== 'conditions') return still;
  // Mention the rule instead of a value if the rule has conditions, or if its stored value is outdated and looks
  // normal.
  return {
    words: `The rule “${ruleName}” still keeps the alarm open.`,
    afterwards: 'If the rule remains violated, a new alarm opens.',
  };
}

/**
 * Returns the criteria of each data point that keeps the alarm open, keyed by the data point's uuid. Excludes the
 * alarm's own data point if its value is back to normal and another rule keeps the alarm open.
 */
export function datapointsOutside(alarm: AlarmReading & { tocsinDatapointUuid: string | null }): Map<string, unknown> {
  const out = new Map<string, unknown>();
  const isOwnInside = isHeldOpen(alarm) && isInside(readCriteria(alarm.criteria), newestDatapoint(alarm));
  if (alarm.tocsinDatapointUuid !== null && !isOwnInside) out.set(alarm.tocsinDatapointUuid, alarm.criteria);
  for (const { datapointUuid, criteria, isClearing } of rowsOf(alarm.otherHolders))
    if (datapointUuid !== null && !isClearing && !out.has(datapointUuid)) out.set(datapointUuid, criteria);
  return out;
}

/**
 * Returns the value to show. If the alarm's own value is back to normal, prefers the value of another rule that keeps
 * the alarm open.
 */
export function shownReading(alarm: AlarmReading): { criteria: Criteria | null; point: Measured | null } {
  const own = { criteria: readCriteria(alarm.criteria), point: newestDatapoint(alarm) };
  if (own.criteria !== null && !isInside(own.criteria, own.point)) return own;
  const holder = holdingRulesOf(alarm).find(({ isClearing, latestValue }) => !isClearing && latestValue !== null);
  return holder ? { criteria: holder.criteria, point: holder } : own;
}
