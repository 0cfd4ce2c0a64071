import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { timeOfClock } from '../../../domain/on-call/local.ts';
import { type RotaRefusal, refuseOverride } from '../../../domain/on-call/refusals.ts';
import type { RotaPerson } from '../../../domain/on-call/rota.ts';
import { localTime } from '../../../domain/week.ts';
import { GraphqlError } from '../../api/graphql.ts';
import { messageOf } from '../../api/http.ts';
import { FieldPair } from '../../kit/record/FieldPair.tsx';
import { type Option, Picker } from '../../kit/record/Picker.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { now } from '../../ui/time/clock.ts';
import { toast } from '../../ui/toast/toast.ts';
import { sendOverride } from './change.queries.ts';
import classes from './Dialogs.module.css';
import { onCallPeopleSource, type ShownRota } from './on-call.queries.ts';

/** What the dialog begins with. */
export interface OverrideStart {
  layerUuid?: string;
  startsAt?: number;
  endsAt?: number;
  offUuid?: string;
  /** The dialog covers a gap, so it asks only for the cover. */
  coversGap?: boolean;
}

const two = (number: number) => String(number).padStart(2, '0');

function fieldsOf(at: number, timeZone: string): { day: string; time: string } {
  const { year, month, day, hour, minute } = localTime(new Date(at), timeZone);
  return { day: `${year}-${two(month)}-${two(day)}`, time: `${two(hour)}:${two(minute)}` };
}

const kinds = [
  { value: 'absence', label: 'Somebody is off' },
  { value: 'cover', label: 'Somebody covers all' },
] as const;

interface OverrideDialogProps {
  rota: ShownRota;
  start: OverrideStart;
  onClose: () => void;
}

/** Adds an override: a holiday with or without cover, or a person who covers all shifts of a period. */
export function OverrideDialog({ rota, start, onClose }: OverrideDialogProps) {
  const client = useQueryClient();
  const [layerUuid, setLayerUuid] = useState(start.layerUuid ?? rota.layers[0]?.uuid ?? '');
  const layer = rota.layers.find(({ uuid }) => uuid === layerUuid) ?? rota.layers[0];
  const timeZone = layer?.timeZone ?? 'UTC';
  const [opened] = useState(() => now().getTime());
  const tomorrow = fieldsOf(opened + 86_400_000, timeZone);
  const [begin, setBegin] = useState(
    start.startsAt ? fieldsOf(start.startsAt, timeZone) : { day: tomorrow.day, time: '08:00' },
  );
  const [end, setEnd] = useState(
    start.endsAt ? fieldsOf(start.endsAt, timeZone) : { ...fieldsOf(opened + 2 * 86_400_000, timeZone), time: '08:00' },
  );
  const [kind, setKind] = useState<'absence' | 'cover'>('absence');
  const [off, setOff] = useState(
    (layer?.people.find(({ uuid }) => uuid === start.offUuid) ?? layer?.people[0])?.uuid ?? '',
  );
  const [cover, setCover] = useState<Option | null>(null);
  const [reason, setReason] = useState('');
  const [refused, setRefused] = useState<RotaRefusal | null>(null);
  const [busy, setBusy] = useState(false);
  if (!layer) return null;
  const problem = (field: string) => (refused?.field === field ? refused.sentence : null);
  const timeOf = ({ day, time }: { day: string; time: string }) => {
    const clock = Date.parse(`${day}T${time}:00Z`);
    return Number.isNaN(clock) ? Number.NaN : timeOfClock(clock, timeZone);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const person = (uuid: string, name: string): RotaPerson => ({ uuid, name, isActive: true });
    const offPerson = kind === 'absence' ? (layer.people.find(({ uuid }) => uuid === off) ?? null) : null;
    const coverPerson = cover ? person(cover.value, cover.label) : null;
    const period = { startsAt: timeOf(begin), endsAt: timeOf(end) };
    if (start.coversGap && coverPerson === null) {
      return setRefused({ field: 'coverUuid', sentence: 'Choose who covers the gap.' });
    }
    const problem = refuseOverride(layer, { ...period, off: offPerson, cover: coverPerson }, now().getTime());
    if (problem) return setRefused(problem);
    setRefused(null);
    setBusy(true);
    try {
      await sendOverride({
        ...{ layerUuid: layer.uuid, reason: reason.trim() },
        startsAt: new Date(period.startsAt).toISOString(),
        endsAt: new Date(period.endsAt).toISOString(),
        offUuid: offPerson?.uuid ?? null,
        coverUuid: coverPerson?.uuid ?? null,
      });
      await client.invalidateQueries({ queryKey: ['on-call'] });
      toast.success('The override was added.');
      onClose();
    } catch (error) {
      const field = (error instanceof GraphqlError ? error.field : undefined) ?? '';
      setRefused({ field: known.has(field) ? field : 'form', sentence: messageOf(error) });
      setBusy(false);
    }
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      label={start.coversGap ? 'Find cover' : 'Add override'}
      head={<h2 className={classes.title}>{start.coversGap ? 'Find cover' : 'Add override'}</h2>}
    >
      <form className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
        <NativeSelect
          label="Layer"
          value={layerUuid}
          data={rota.layers.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          onChange={(event) => {
            setLayerUuid(event.currentTarget.value);
            setOff(rota.layers.find(({ uuid }) => uuid === event.currentTarget.value)?.people[0]?.uuid ?? '');
          }}
        />
        <div>
          <Segmented label="Kind" options={kinds} value={kind} onChange={setKind} wide />
        </div>
        {kind === 'absence' ? (
          <NativeSelect
            label="Who is off"
            value={off}
            error={problem('offUuid')}
            data={layer.people.map(({ uuid, name }) => ({ value: uuid, label: name }))}
            onChange={(event) => setOff(event.currentTarget.value)}
          />
        ) : null}
        <Picker
          label={kind === 'absence' && !start.coversGap ? 'Who covers (optional)' : 'Who covers'}
          hint="Choose a person"
          source={onCallPeopleSource}
          without={kind === 'absence' ? [off] : []}
          value={cover}
          onChange={setCover}
          error={problem('coverUuid')}
          description={kind === 'absence' && !start.coversGap ? 'Without cover, the shifts are gaps.' : undefined}
          clearable
        />
        <FieldPair short>
          <TextInput
            label="Start"
            type="date"
            value={begin.day}
            error={problem('startsAt')}
            onChange={(event) => setBegin({ ...begin, day: event.currentTarget.value })}
          />
          <TextInput
            label="From"
            type="time"
            value={begin.time}
            onChange={(event) => setBegin({ ...begin, time: event.currentTarget.value })}
          />
        </FieldPair>
        <FieldPair short>
          <TextInput
            label="End"
            type="date"
            value={end.day}
            error={problem('endsAt')}
            onChange={(event) => setEnd({ ...end, day: event.currentTarget.value })}
          />
          <TextInput
            label="To"
            type="time"
            value={end.time}
            onChange={(event) => setEnd({ ...end, time: event.currentTarget.value })}
          />
        </FieldPair>
        <TextInput
          label="Reason (optional)"
          placeholder="Holiday"
          maxLength={200}
          value={reason}
          error={problem('reason')}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {refused?.field === 'form' ? (
          <p className={classes.failure} role="alert">
            {refused.sentence}
          </p>
        ) : null}
        <div className={classes.buttons}>
          <span />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Add override
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const known = new Set(['startsAt', 'endsAt', 'offUuid', 'coverUuid', 'reason']);
