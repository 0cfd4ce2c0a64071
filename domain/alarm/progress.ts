import type { Context, RuleKind } from '../rule/context.ts';
import type { RecordedStep } from '../rule/recorded-step.ts';
import type { NewEvent } from './event.ts';
import { displayNumber } from './number-text.ts';

/** Returns the timeline text for a rule that returns to normal. */
export function endingText(kind: RuleKind, step: RecordedStep): string {
  const over = kind === 'conditions' ? 'The conditions are no longer met.' : 'Returned to normal.';
  return step.sentence ?? over;
}

/** Creates the timeline event of an alarm that stays open: it is clearing, or its value left the limits again. */
export function progressEvent(
  step: RecordedStep,
  context: Context,
  alarmUuid: string,
  until: number | undefined,
): NewEvent {
  const { customerUuid, kind, datapointName, unit } = context;
  const value = step.value === undefined ? '' : ` (${`${datapointName} ${displayNumber(step.value)} ${unit}`.trim()})`;
  const again = step.because === 'out-again';
  return {
    alarmUuid,
    customerUuid,
    at: step.at,
    kind: again ? 'out-again' : 'clearing',
    sentence: again
      ? kind === 'conditions'
        ? 'The conditions are met again.'
        : `Out of limits again${value}.`
      : step.because === 'left-clear-limits'
        ? `Outside the clear limits again${value}, so the alarm stays open.`
        : kind === 'conditions'
          ? 'The conditions are no longer met.'
          : `Back inside the limits${value}.`,
    detail: { because: step.because, until },
  };
}
