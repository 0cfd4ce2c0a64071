import { SafeError, type Step, sideEffect } from 'postgraphile/grafast';
import { wrapPlans } from 'postgraphile/utils';
import { compileConditions } from '../../../domain/rule/conditions.ts';

/** Validates the rule at `path` of the mutation's input before the mutation's SQL statement runs. */
const checkedAt = (path: string[]) => (plan: () => Step, _$root: Step, fieldArgs: { getRaw(path: string[]): Step }) => {
  sideEffect(fieldArgs.getRaw(path), (ruleJson: unknown) => {
    if (typeof ruleJson !== 'string') return;
    const compiled = compileConditions(ruleJson);
    if (!compiled.ok) throw new SafeError(compiled.sentence, { code: 'BAD_USER_INPUT', field: 'ruleJson' });
  });
  return plan();
};

/**
 * Refuses rules whose conditions the evaluator cannot compile. A database trigger checks the rest of the conditions.
 */
export const RuleConditionsPlugin = wrapPlans(
  {
    Mutation: {
      createRulesJson: checkedAt(['input', 'rulesJson', 'ruleJson']),
      saveRulesJson: checkedAt(['input', 'rulesJson', 'ruleJson']),
      updateRulesJson: checkedAt(['input', 'patch', 'ruleJson']),
    },
  } as never,
  { name: 'TocsinRuleConditionsPlugin' },
);
