import { useQuery } from '@tanstack/react-query';
import { can } from '../../../domain/permission.ts';
import { useActor } from '../../kit/session/actor.ts';
import { firstStepsQuery } from './first-steps.queries.ts';
import { firstSteps, nextStep, type Step } from './first-steps.ts';

/** Returns the setup steps if the user may do all of them; otherwise undefined. */
export function useFirstSteps(): Step[] | undefined {
  const actor = useActor();
  const may = can(actor, 'admin.enter') && can(actor, 'site.create') && can(actor, 'rule_alert.create');
  const setup = useQuery({ ...firstStepsQuery(actor.level), enabled: may }).data;
  const steps = setup && firstSteps(setup);
  return steps && nextStep(steps) ? steps : undefined;
}
