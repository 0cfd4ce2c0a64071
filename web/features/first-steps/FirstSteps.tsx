import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import classes from './FirstSteps.module.css';
import { nextStep } from './first-steps.ts';
import { useFirstSteps } from './useFirstSteps.ts';

/** The way to a plant that tells somebody, as long as a part of it is missing. */
export function FirstSteps() {
  const steps = useFirstSteps();
  if (!steps) return null;
  const next = nextStep(steps);
  return (
    <section className={classes.card} aria-label="First steps">
      <div className={classes.head}>
        <h2>First steps</h2>
        <span>
          {steps.filter(({ done }) => done).length} of {steps.length} done
        </span>
      </div>
      <ol className={classes.steps}>
        {steps.map((step, index) => (
          <li key={step.name} data-done={step.done || undefined}>
            <span className={classes.mark}>
              {step.done ? <IconCheck size={14} stroke={2} role="img" aria-label="Done" /> : index + 1}
            </span>
            <div className={classes.text}>
              {step.done ? (
                <b>{step.name}</b>
              ) : (
                <Link to={step.to} search={step.search as never}>
                  {step.name}
                </Link>
              )}
              {step.done ? null : <span>{step.why}</span>}
            </div>
            {step === next ? (
              <Button
                component={Link}
                to={step.to}
                search={step.search as never}
                size="xs"
                aria-label={`Start: ${step.name}`}
              >
                Start
              </Button>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  );
}
