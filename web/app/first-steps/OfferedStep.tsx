import { ActionIcon, Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { TbPlus, TbX } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { useActor } from '../../kit/session/actor.ts';
import { offeredStep, offerStep } from '../../kit/setup/offered-step.ts';
import { useStore } from '../../ui/store.ts';
import classes from './OfferedStep.module.css';

/** A line above the page that offers the next setup step without covering any content. */
export function OfferedStep() {
  const offered = useStore(offeredStep);
  const actor = useActor();
  const path = useLocation({ select: ({ pathname }) => pathname });
  const isElsewhere = offered !== null && offered.path !== path;
  useEffect(() => {
    if (isElsewhere) offerStep(null);
  }, [isElsewhere]);
  if (!offered || isElsewhere || !can(actor, offered.step.needs)) return null;
  const { after, label, to, search } = offered.step;
  return (
    <section className={classes.step} aria-label="Next step" data-offered-step>
      <span className={classes.words}>
        Next step for <b>{after}</b>
      </span>
      <Button
        component={Link}
        to={to}
        search={search as never}
        leftSection={<TbPlus size={14} strokeWidth={1.75} aria-hidden />}
        onClick={() => offerStep(null)}
      >
        {label}
      </Button>
      <ActionIcon variant="subtle" aria-label="Close" onClick={() => offerStep(null)}>
        <TbX size={14} strokeWidth={1.75} aria-hidden />
      </ActionIcon>
    </section>
  );
}
