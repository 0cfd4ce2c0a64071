import type { Measured } from '../../kit/format/value.ts';
import { rowsOf } from '../../kit/list/list.ts';
import type { AlarmHolders, AlarmReading } from './alarm.queries.ts';
import { pointOf } from './alarm-datapoint.ts';
import { type JudgedBy, readJudgedBy } from './judged-by.ts';
import { isInside, type OutsideWords, outsideWords } from './value-outside.ts';

/** Another rule that keeps an alarm open, with the same words at the same site. */
export interface HoldingRule extends Measured {
  ruleUuid: string;
  ruleName: string;
  /** Null where it has no value of its own. */
  datapointName: string | null;
  judged: JudgedBy | null;
  /** Its value is back, and has to stay there. */
  isClearing: boolean;
}

export function holdingRulesOf({ otherHolders }: AlarmHolders): HoldingRule[] {
  return rowsOf(otherHolders).map(({ ruleUuid, ruleName, datapointName, judgedBy, isClearing, ...point }) => ({
    ruleUuid: ruleUuid ?? '',
    ruleName: ruleName ?? '',
    datapointName,
    judged: readJudgedBy(judgedBy),
    isClearing: isClearing === true,
    latestValue: point.latestValue,
    uom: point.uom ?? '',
    sensorType: point.sensorType ?? 0,
    datapointTitleText: point.datapointTitleText ?? '',
  }));
}

/** Whether another rule keeps the alarm open, whatever became of the value that opened it. */
export function isHeldOpen(alarm: AlarmHolders): boolean {
  return rowsOf(alarm.otherHolders).some(({ isClearing }) => !isClearing);
}

/** That another rule would open an alarm with the same words again; null where none keeps it open. */
export function heldOpenWords(alarm: AlarmHolders, locale?: string): OutsideWords | null {
  const [holder] = holdingRulesOf(alarm).filter(({ isClearing }) => !isClearing);
  if (!holder) return null;
  const { judged, datapointName, ruleName } = holder;
  const still = judged && outsideWords(judged, datapointName ?? ruleName, holder, false, locale);
  if (still && judged.kind !== 'conditions') return still;
  // Of conditions it is said whose they are, and a value that is stored comes seconds after what was judged.
  return {
    words: `The rule “${ruleName}” still keeps it open.`,
    afterwards: 'If that lasts, a new alarm opens.',
  };
}

/** Its data points that are out now, each with what judges it: of the one that opened it not where only others keep it open. */
export function pointsOutside(alarm: AlarmReading & { tocsinDatapointUuid: string | null }): Map<string, unknown> {
  const out = new Map<string, unknown>();
  const isOver = isHeldOpen(alarm) && isInside(readJudgedBy(alarm.judgedBy), pointOf(alarm));
  if (alarm.tocsinDatapointUuid !== null && !isOver) out.set(alarm.tocsinDatapointUuid, alarm.judgedBy);
  for (const { datapointUuid, judgedBy, isClearing } of rowsOf(alarm.otherHolders))
    if (datapointUuid !== null && !isClearing && !out.has(datapointUuid)) out.set(datapointUuid, judgedBy);
  return out;
}

/** The value of the rule that opened it, while that is out; then that of another rule that keeps it open. */
export function shownOf(alarm: AlarmReading): { judged: JudgedBy | null; point: Measured | null } {
  const own = { judged: readJudgedBy(alarm.judgedBy), point: pointOf(alarm) };
  if (own.judged !== null && !isInside(own.judged, own.point)) return own;
  const holder = holdingRulesOf(alarm).find(({ isClearing, latestValue }) => !isClearing && latestValue !== null);
  return holder ? { judged: holder.judged, point: holder } : own;
}
