import type { Phase, TransitionReason } from './step.ts';

/** One transition of a rule as it is recorded, with its reason. */
export interface RecordedStep {
  from: Phase;
  to: Phase;
  /** Device time. */
  at: number;
  because: TransitionReason | 'rule-changed' | 'rule-disabled' | 'rule-deleted' | 'resolved-by-person';
  value: number | undefined;
  /** Index of the causing reading in the order of evaluation; undefined if a clock or a person caused the step. */
  order?: number;
  /** Text for the alarm's timeline, where `because` alone is not enough. */
  sentence?: string;
}
