import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messageOf } from '../../../api/http.ts';
import { At } from '../../../kit/format/At.tsx';
import { acknowledgementOf } from '../../../kit/format/alarm.ts';
import { type Option, Picker } from '../../../kit/record/Picker.tsx';
import { useUser } from '../../../kit/session/session.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import look from '../acknowledge/AlarmDialog.module.css';
import { DialogError } from '../acknowledge/DialogParts.tsx';
import type { AlarmAssignment } from '../alarm.queries.ts';
import { assigneeSource, sendAssignment, sendTake } from './assign.queries.ts';
import { TAKING_ONLY } from './useAssignment.ts';

interface AssignProps {
  alarm: AlarmAssignment & { uuid: string; acknowledgeJson: unknown };
  onClose: () => void;
}

/**
 * Returns the assignment at the time the dialog opened, a function that sends a change, and the error of the last
 * attempt. The returned assignment stays the same while the dialog is open, so the user never takes the alarm over from
 * anyone other than the person shown in the dialog.
 */
function useChange({ alarm, onClose }: AssignProps) {
  const client = useQueryClient();
  const [from] = useState(alarm);
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState(false);
  const run = async (change: () => Promise<void>, done: string) => {
    if (busy) return;
    setBusy(true);
    setFailure('');
    try {
      await change();
      toast.success(done);
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
    }
    await client.invalidateQueries({ queryKey: ['alarm'] });
    setBusy(false);
  };
  return { from, run, busy, trouble: failure === '' ? null : <DialogError>{failure}</DialogError> };
}

/** Asks for confirmation before the user takes over an alarm from another person. */
export function TakeOverDialog(props: AssignProps) {
  const { from, run, busy, trouble } = useChange(props);
  const { uuid, assignedTo, assignedName, assignedAt, acknowledgeJson } = from;
  return (
    <Dialog opened onClose={props.onClose} label="Take over the alarm" head={<h2>Take over the alarm?</h2>}>
      <p>
        <b>{assignedName}</b> has had this alarm since <At at={assignedAt} />. If you take it over, {assignedName} no
        longer has it.
      </p>
      {acknowledgementOf(acknowledgeJson) === null ? <p>{TAKING_ONLY}</p> : null}
      {trouble}
      <div className={look.buttons}>
        <Button variant="default" onClick={props.onClose}>
          Cancel
        </Button>
        <Button
          loading={busy}
          data-autofocus
          onClick={() => void run(() => sendTake(uuid, assignedTo), `You took over the alarm from ${assignedName}.`)}
        >
          Take over
        </Button>
      </div>
    </Dialog>
  );
}

/** Assigns an alarm to a person, or hands it over if it is already assigned. */
export function AssignDialog(props: AssignProps) {
  const me = useUser().uuid;
  const { from, run, busy, trouble } = useChange(props);
  const [person, setPerson] = useState<Option | null>(null);
  const [isMissing, setMissing] = useState(false);
  const { uuid, assignedTo, assignedName } = from;
  const verb = assignedName === null ? 'Assign' : 'Hand over';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(person === null);
    if (person === null) return;
    void run(() => sendAssignment(uuid, person.value, assignedTo), `The alarm is assigned to ${person.label}.`);
  };
  return (
    <Dialog opened onClose={props.onClose} label={`${verb} the alarm`} head={<h2>{verb} the alarm</h2>}>
      <form onSubmit={submit}>
        {assignedName === null || assignedTo === me ? null : (
          <p>
            This alarm is assigned to <b>{assignedName}</b>.
          </p>
        )}
        <Picker
          label="Person"
          hint="Choose or type a name"
          source={assigneeSource(uuid)}
          without={assignedTo === null ? [] : [assignedTo]}
          value={person}
          onChange={(next) => {
            setPerson(next);
            setMissing(false);
          }}
          error={isMissing ? 'Choose a person.' : null}
          description="Active people with access to this alarm. The person is not notified, and escalation continues."
        />
        {trouble}
        <div className={look.buttons}>
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            {verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
