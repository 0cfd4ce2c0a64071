import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TbStairs } from 'react-icons/tb';
import classes from './RuleAlertForm.module.css';
import { stepsQuery } from './steps.queries.ts';

/** Opens the escalation plan of a rule alert, and says what it has beyond the form. */
export function PlanLink({ uuid }: { uuid: string }) {
  const steps = useQuery(stepsQuery(uuid)).data ?? [];
  const rotas = steps.flatMap(({ step, layers }) => layers.map(({ name }) => `${name} (step ${step})`));
  const last = Math.max(2, ...steps.map(({ step }) => step));
  const more = [...(last > 2 ? [`${last} steps`] : []), ...rotas];
  return (
    <fieldset className={classes.group}>
      <legend>Escalation plan</legend>
      <p className={classes.hint}>
        {more.length === 0
          ? 'Add rotas, repeats and more steps, and see who would be notified.'
          : `This rule alert also has: ${more.join(', ')}.`}
      </p>
      <div>
        <Button
          component={Link}
          to={`/admin/rules/plan/${uuid}` as never}
          variant="default"
          size="compact-sm"
          leftSection={<TbStairs size={14} strokeWidth={1.75} aria-hidden />}
        >
          Open escalation plan
        </Button>
      </div>
    </fieldset>
  );
}
