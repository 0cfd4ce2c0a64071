import type { Because, Phase } from '../../domain/rule/step.ts';
import type { StoredState } from './states.ts';
import type { Watch } from './watch.ts';

/** A step of a rule as it is recorded: what was seen, and why it changed. */
export interface RecordedStep {
  from: Phase;
  to: Phase;
  /** By the device's clock. */
  at: number;
  because: Because | 'rule-changed' | 'rule-disabled' | 'rule-deleted' | 'resolved-by-person';
  value: number | undefined;
  /** The place of the reading that caused it, in the order of evaluation; what a clock or a person caused has none. */
  order?: number;
  /** What the alarm's timeline says of it, where the reason alone does not say it. */
  sentence?: string;
}

/** What one batch, or the clock, did to one rule. */
export interface RuleChange {
  watch: Pick<Watch, 'uuid' | 'kind' | 'version' | 'shard'>;
  steps: RecordedStep[];
  before: StoredState | undefined;
  after: StoredState | undefined;
}
