import { SafeError, type Step, sideEffect } from 'postgraphile/grafast';
import { wrapPlans } from 'postgraphile/utils';
import { compileConditions } from '../../../domain/rule/conditions.ts';

/** Validates the rule at `path` before the statement. */
const checkedAt = (path: string[]) => (plan: () => Step, _$root: Step, fieldArgs: { getRaw(path: string[]): Step }) => {
  sideEffect(fieldArgs.getRaw(path), (ruleJson: unknown) => {
    if (typeof ruleJson !== 'string') return;
    const compiled = compileConditions(ruleJson);
    if (!compiled.ok) throw new SafeError(compiled.sentence, { code: 'BAD_USER_INPUT', field: 'ruleJson' });
  });
  return plan();
};

/** Refuses rules of conditions that the evaluator cannot compile. The row guard checks what needs the database. */
export const RuleConditionsPlugin = wrapPlans(
  {
    Mutation: {
      createRulesJson: checkedAt(['input', 'rulesJson', 'ruleJson']),
      updateRulesJson: checkedAt(['input', 'patch', 'ruleJson']),
    },
  } as never,
  { name: 'TocsinRuleConditionsPlugin' },
);
