import { Button, NativeSelect } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DAY_MS, type Period } from '../../../../domain/on-call/rota.ts';
import type { Shift } from '../../../../domain/on-call/shifts.ts';
import { swapChoices } from '../../../../domain/on-call/swap.ts';
import { messageOf } from '../../../api/http.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { toast } from '../../../ui/toast/toast.ts';
import { sendSwap } from '../change.queries.ts';
import classes from '../Dialogs.module.css';
import type { ShownLayer } from '../on-call.queries.ts';
import { firstName } from '../rota/timeline.ts';
import { atWords, daysWords } from '../words.ts';
import own from './MyOnCall.module.css';

interface SwapSheetProps {
  layer: ShownLayer;
  shift: Shift;
  onClose: () => void;
}

const parts = [
  { value: 'whole', label: 'Whole shift' },
  { value: 'days', label: 'Some days' },
] as const;

/** Asks a colleague to take a shift. For the whole shift, the user takes the colleague’s next one in return. */
export function SwapSheet({ layer, shift, onClose }: SwapSheetProps) {
  const client = useQueryClient();
  const [part, setPart] = useState<'whole' | 'days'>('whole');
  const days = daysOf(shift);
  const [first, setFirst] = useState(0);
  const [last, setLast] = useState(days.length - 1);
  const choices = swapChoices(layer, shift);
  const [picked, setPicked] = useState<string | null>(
    choices.find(({ daysInARow }) => daysInARow === 0)?.person.uuid ?? null,
  );
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState(false);
  const choice = choices.find(({ person }) => person.uuid === picked);
  const isWhole = part === 'whole';
  const asked: Period = isWhole
    ? shift
    : {
        startsAt: days[first]?.startsAt ?? shift.startsAt,
        endsAt: days[Math.max(first, last)]?.endsAt ?? shift.endsAt,
      };
  const send = async () => {
    if (!choice) return setFailure('Choose a colleague.');
    setBusy(true);
    setFailure('');
    try {
      await sendSwap(layer.uuid, choice.person.uuid, asked, isWhole ? choice.back : null);
      await client.invalidateQueries({ queryKey: ['on-call'] });
      toast.success(
        `${choice.person.name} was asked. The shift stays yours until ${firstName(choice.person.name)} accepts.`,
      );
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  };
  const title = `Swap ${daysWords(shift, layer.timeZone)}`;
  return (
    <Dialog opened onClose={onClose} label={title} head={<h2 className={classes.title}>{title}</h2>}>
      <div className={classes.form}>
        <div>
          <Segmented label="Part of the shift" options={parts} value={part} onChange={setPart} wide />
        </div>
        {isWhole ? null : (
          <div className={own.days}>
            <NativeSelect
              label="From"
              value={String(first)}
              data={days.map(({ startsAt }, index) => ({
                value: String(index),
                label: atWords(startsAt, layer.timeZone),
              }))}
              onChange={(event) => setFirst(Number(event.currentTarget.value))}
            />
            <NativeSelect
              label="To"
              value={String(Math.max(first, last))}
              data={days
                .map(({ endsAt }, index) => ({ value: String(index), label: atWords(endsAt, layer.timeZone) }))
                .slice(first)}
              onChange={(event) => setLast(Number(event.currentTarget.value))}
            />
          </div>
        )}
        <fieldset className={own.choices}>
          <legend>Ask somebody to swap</legend>
          {choices.length === 0 ? <p>Nobody else in this layer has a shift. Ask a manager for an override.</p> : null}
          {choices.map(({ person, back, daysInARow }) => {
            const isBlocked = isWhole && daysInARow > 0;
            return (
              <label key={person.uuid} className={own.choice} data-blocked={isBlocked || undefined}>
                <Avatar name={person.name} size={32} />
                <span>
                  <b>{person.name}</b>
                  <small>
                    {isBlocked
                      ? `Would be on call ${daysInARow} days in a row`
                      : isWhole
                        ? `You take ${daysWords(back, layer.timeZone)}`
                        : 'You take nothing in return'}
                  </small>
                </span>
                <input
                  type="radio"
                  name="colleague"
                  checked={person.uuid === picked}
                  disabled={isBlocked}
                  onChange={() => setPicked(person.uuid)}
                />
              </label>
            );
          })}
        </fieldset>
        {failure ? (
          <p className={classes.failure} role="alert">
            {failure}
          </p>
        ) : null}
        {choice ? (
          <>
            <Button size="lg" loading={busy} onClick={() => void send()}>
              Ask {choice.person.name}
            </Button>
            <p className={own.note}>The shift stays yours until {firstName(choice.person.name)} accepts.</p>
          </>
        ) : null}
      </div>
    </Dialog>
  );
}

/** Divides a shift into days of 24 hours from its start. The last one ends with the shift. */
function daysOf({ startsAt, endsAt }: Period): Period[] {
  const count = Math.max(1, Math.round((endsAt - startsAt) / DAY_MS));
  return Array.from({ length: count }, (_, index) => ({
    startsAt: startsAt + index * DAY_MS,
    endsAt: index === count - 1 ? endsAt : startsAt + (index + 1) * DAY_MS,
  }));
}
