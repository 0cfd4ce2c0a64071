import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { TbCheck } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { durationWords } from '../../features/rule/index.ts';
import { curlCommand } from '../../features/sensor/index.ts';
import { useActor } from '../../kit/session/actor.ts';
import { CopyLine } from '../../ui/CopyLine.tsx';
import classes from './FirstSteps.module.css';
import { nextStep } from './first-steps.ts';
import type { Trial } from './trial.ts';
import { useFirstSteps } from './useFirstSteps.ts';

/** Shows the setup steps until all are done, and then the completion notice. */
export function FirstSteps() {
  const steps = useFirstSteps();
  const [begun, setBegun] = useState(false);
  if (steps && !begun) setBegun(true);
  if (!steps) return begun ? <AllDone onClose={() => setBegun(false)} /> : null;
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
              {step.done ? <TbCheck size={14} strokeWidth={2} role="img" aria-label="Done" /> : index + 1}
            </span>
            <div className={classes.text}>
              {step.done || step.to === '/dashboard' ? (
                <b>{step.name}</b>
              ) : (
                <Link to={step.to} search={step.search as never}>
                  {step.name}
                </Link>
              )}
              {step.done ? null : <span>{step.why}</span>}
              {step === next && step.trial ? <SendTrial trial={step.trial} /> : null}
            </div>
            {step === next && !step.trial ? (
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

function AllDone({ onClose }: { onClose: () => void }) {
  const readsOutbox = can(useActor(), 'outbox.read');
  return (
    <section className={classes.card} aria-label="First steps">
      <div className={classes.head}>
        <h2>First steps</h2>
        <span>all done</span>
      </div>
      <div className={classes.done}>
        <p role="status">
          A value outside the limits now opens an alarm. Find it under <Link to="/dashboard/alarms">Alarms</Link>, with
          the state of each message
          {readsOutbox ? (
            <>
              . Unsent messages are <Link to="/admin/channels">in the outbox</Link>
            </>
          ) : null}
          .
        </p>
        <Button size="xs" variant="default" onClick={onClose}>
          Close
        </Button>
      </div>
    </section>
  );
}

/** The command that sends a test value, and its expected result. */
function SendTrial({ trial: { sensor, channel, value, debounce } }: { trial: Trial }) {
  const held = durationWords(debounce);
  return (
    <div className={classes.trial}>
      <CopyLine label="test value with curl">
        {curlCommand(location.origin, sensor.uid, { channel, value }, { format: sensor.format })}
      </CopyLine>
      <span>
        Replace $TOKEN with the sensor’s token. The token was shown only once. If you no longer have it, create a new
        token for {sensor.uid}{' '}
        <Link to="/admin/sensors" search={{ record: sensor.uuid, tab: 'device' } as never}>
          on its Device tab
        </Link>
        . The alarm opens{' '}
        {held === ''
          ? 'as soon as the value arrives.'
          : `${held} after the value arrives, unless a normal value arrives first.`}
      </span>
    </div>
  );
}
