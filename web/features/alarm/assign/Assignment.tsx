import { Button, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { can } from '../../../../domain/permission.ts';
import { At } from '../../../kit/format/At.tsx';
import { acknowledgementOf } from '../../../kit/format/alarm.ts';
import { useActor } from '../../../kit/session/actor.ts';
import { useUser } from '../../../kit/session/session.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import type { AlarmAssignment } from '../alarm.queries.ts';
import { AssignDialog, TakeOverDialog } from './AssignDialogs.tsx';
import classes from './Assignment.module.css';
import { useAssignment } from './useAssignment.ts';

/** In a row of the list, shows the initials of the person to whom an open alarm is assigned. */
export function Assignee({ alarm }: { alarm: AlarmAssignment & { resolvedDate: string | null } }) {
  const me = useUser().uuid;
  const { assignedTo, assignedName: name } = alarm;
  if (name === null || alarm.resolvedDate !== null) return null;
  const isMine = assignedTo === me;
  const words = isMine ? 'Assigned to you' : `Assigned to ${name}`;
  return (
    <span className={classes.assignee} data-mine={isMine || undefined} title={words}>
      <Avatar name={name} size={22} />
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  );
}

type ShownAlarm = AlarmAssignment & {
  uuid: string;
  resolvedDate: string | null;
  acknowledgeJson: unknown;
  nextEscalationAt: string | null;
};

/** Shows to whom the alarm is or was assigned, with buttons to take, hand over and release it. */
export function AssignmentNote({ alarm }: { alarm: ShownAlarm }) {
  const me = useUser().uuid;
  const mayAssign = can(useActor(), 'alarm.assign') && alarm.resolvedDate === null;
  const { take, release } = useAssignment();
  const [open, setOpen] = useState<'take-over' | 'assign' | null>(null);
  const { assignedTo, assignedName: name, assignedAt } = alarm;
  if (name === null && !mayAssign) return null;
  const isMine = assignedTo === me;
  const close = () => setOpen(null);
  return (
    <section className={classes.note} aria-label="Assignment">
      {name === null ? null : (
        <span className={classes.assignee} data-mine={isMine || undefined}>
          <Avatar name={name} />
        </span>
      )}
      <p>
        {name === null ? (
          'This alarm is not assigned to anyone.'
        ) : alarm.resolvedDate !== null ? (
          <>
            <b>{isMine ? 'You' : name}</b> had this alarm.
          </>
        ) : (
          <>
            <b>{isMine ? 'You' : name}</b> {isMine ? 'have' : 'has'} had this alarm since <At at={assignedAt} />.
            <Unacknowledged alarm={alarm} />
          </>
        )}
      </p>
      {mayAssign ? (
        <span className={classes.buttons}>
          {name === null ? (
            <Button
              variant="default"
              size="xs"
              onClick={() => void take(alarm)}
              rightSection={<kbd aria-hidden>t</kbd>}
            >
              Take alarm
            </Button>
          ) : isMine ? (
            <Button variant="default" size="xs" onClick={() => void release(alarm)}>
              Release
            </Button>
          ) : (
            <Button variant="default" size="xs" onClick={() => setOpen('take-over')}>
              Take over
            </Button>
          )}
          <Button variant="default" size="xs" onClick={() => setOpen('assign')}>
            {name === null ? 'Assign' : 'Hand over'}
          </Button>
        </span>
      ) : null}
      {open === 'take-over' ? <TakeOverDialog alarm={alarm} onClose={close} /> : null}
      {open === 'assign' ? <AssignDialog alarm={alarm} onClose={close} /> : null}
    </section>
  );
}

/** States that an assigned alarm is not acknowledged, because people may confuse the two. */
function Unacknowledged({ alarm }: { alarm: ShownAlarm }) {
  if (acknowledgementOf(alarm.acknowledgeJson) !== null) return null;
  return <> {alarm.nextEscalationAt === null ? 'It is not acknowledged.' : 'It is not acknowledged and escalates.'}</>;
}
