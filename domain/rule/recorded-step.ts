import type { Phase, TransitionReason } from './step.ts';

/** One recorded transition of a rule, with its reason. */
export interface RecordedStep {
  from: Phase;
  to: Phase;
  /** Device time of the transition. */
  at: number;
  because: TransitionReason | 'rule-changed' | 'rule-disabled' | 'rule-deleted' | 'resolved-by-person';
  value: number | undefined;
  /**
   * Index of the reading that caused the step, in the order of evaluation. Undefined if the clock or a user caused the
   * step.
   */
  order?: number;
  /** Text for the alarm's timeline; undefined if `because` is sufficient. */
  sentence?: string;
}
