import { factsOf, stateOf } from '../../domain/alarm/opening-texts.ts';
import { insideAgainText } from '../../domain/alarm/texts.ts';
import type { Context } from '../../domain/rule/context.ts';
import type { RecordedStep } from '../../domain/rule/recorded-step.ts';
import type { Transaction } from '../platform/database.ts';
import type { RuleChange } from '../rule/change.ts';

/** A change of a rule's state that resolved an alarm automatically, together with the rule's transition to normal. */
interface Ending {
  change: RuleChange;
  step: RecordedStep;
}

/**
 * Returns the first value inside the limits, and its time. If `isRecorded` is true, an earlier batch stored the
 * transition, so the value must be loaded from the database.
 */
function cameBack({ change, step }: Ending): { at: number; value?: number | undefined; isRecorded: boolean } {
  const { steps, before } = change;
  if (step.from !== 'clearing') return { at: step.at, value: step.value, isRecorded: false };
  const back = steps.slice(0, steps.indexOf(step)).findLast(({ to }) => to === 'clearing');
  return back
    ? { at: back.at, value: back.value, isRecorded: false }
    : { at: before?.since ?? step.at, isRecorded: true };
}

/**
 * Returns the resolution text of each automatically resolved alarm, in the order of `endings`. The text states the
 * value and the time of the return to normal.
 */
export async function closingTexts(
  tx: Transaction,
  endings: readonly (Ending & { context: Context | undefined })[],
): Promise<string[]> {
  const recorded = endings.filter((ending) => ending.context?.kind !== 'conditions' && cameBack(ending).isRecorded);
  const values = await recordedValues(
    tx,
    recorded.map(({ change }) => change.watch.uuid),
  );
  return endings.map((ending) => {
    const { context, change } = ending;
    if (!context) return '';
    const { at, value = values.get(change.watch.uuid) } = cameBack(ending);
    const state = value === undefined ? '' : stateOf(context, value);
    return insideAgainText(context.kind, factsOf(context, value ?? null, at), state);
  });
}

async function recordedValues(tx: Transaction, watches: readonly string[]): Promise<Map<string, number>> {
  if (watches.length === 0) return new Map();
  const { rows } = await tx.query<{ watch: string; value: number }>(
    `select w.uuid as watch, t.value from unnest($1::uuid[]) w (uuid)
     cross join lateral (select k.value from tocsin.rule_transition k where k.watch_uuid = w.uuid and k.to_phase = 'clearing'
       order by k.at desc, k.id desc limit 1) t
     where t.value is not null`,
    [watches],
  );
  return new Map(rows.map(({ watch, value }) => [watch, value]));
}
