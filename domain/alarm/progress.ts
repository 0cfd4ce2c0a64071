import type { Context, RuleKind } from '../rule/context.ts';
import type { RecordedStep } from '../rule/recorded-step.ts';
import type { NewEvent } from './event.ts';
import { displayNumber } from './number-text.ts';

/** Timeline text for a rule that returns to normal. */
export function endingText(kind: RuleKind, step: RecordedStep): string {
  const over =
    kind === 'conditions' ? 'The conditions held no more, and stayed so.' : 'It came back inside and stayed there.';
  return step.sentence ?? over;
}

/** Timeline event of an alarm that stays open: it clears, or its value left the limits again. */
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
        ? 'The conditions hold again.'
        : `It went out of limits again${value}.`
      : step.because === 'left-clear-limits'
        ? `It left the clear limits again${value}, so it stays open.`
        : kind === 'conditions'
          ? 'The conditions hold no more.'
          : `It came back inside${value}.`,
    detail: { because: step.because, until },
  };
}
