import type { RecordedStep } from '../../domain/rule/recorded-step.ts';
import type { StoredState } from './states.ts';
import type { Watch } from './watch.ts';

/** Effect of one batch of readings, or of elapsed time, on one rule. */
export interface RuleChange {
  watch: Pick<Watch, 'uuid' | 'kind' | 'version' | 'shard'>;
  steps: RecordedStep[];
  before: StoredState | undefined;
  after: StoredState | undefined;
}
