import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../api/http.ts';
import { useUser } from '../../../kit/session/session.ts';
import { toast } from '../../../ui/toast/toast.ts';
import { sendSwapAnswer } from '../change.queries.ts';
import type { ShownLayer, ShownRota, Swap } from '../on-call.queries.ts';
import { daysWords, periodWords } from '../words.ts';
import classes from './MyOnCall.module.css';

/** The swaps that wait for the user's answer, and those that the user asked for. */
export function SwapRequests({ rota }: { rota: ShownRota }) {
  const me = useUser().uuid;
  const own = rota.layers.flatMap((layer) =>
    layer.swaps
      .filter(({ askerUuid, colleagueUuid }) => askerUuid === me || colleagueUuid === me)
      .map((swap) => ({ layer, swap })),
  );
  if (own.length === 0) return null;
  return (
    <section aria-label="Swaps">
      <h2 className={classes.heading}>Swaps</h2>
      {own.map(({ layer, swap }) => (
        <Request key={swap.uuid} layer={layer} swap={swap} isMine={swap.askerUuid === me} />
      ))}
    </section>
  );
}

const done = {
  accept: 'The swap was accepted.',
  decline: 'The swap was declined.',
  cancel: 'The request was cancelled.',
};

function Request({ layer, swap, isMine }: { layer: ShownLayer; swap: Swap; isMine: boolean }) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const zone = layer.timeZone;
  const shift = { startsAt: Date.parse(swap.startsAt), endsAt: Date.parse(swap.endsAt) };
  const back =
    swap.backStartsAt && swap.backEndsAt
      ? { startsAt: Date.parse(swap.backStartsAt), endsAt: Date.parse(swap.backEndsAt) }
      : null;
  const answer = async (chosen: keyof typeof done) => {
    setBusy(true);
    try {
      await sendSwapAnswer(swap.uuid, chosen);
      toast.success(done[chosen]);
    } catch (error) {
      toast.error(messageOf(error));
    }
    await client.invalidateQueries({ queryKey: ['on-call'] });
    setBusy(false);
  };
  return (
    <div className={classes.request}>
      <div>
        <b>
          {isMine
            ? `You asked ${swap.colleagueName} to take ${daysWords(shift, zone)}`
            : `${swap.askerName} asks you to take ${daysWords(shift, zone)}`}
        </b>
        <small>
          {layer.name}, {periodWords(shift, zone)}.{' '}
          {back ? `${isMine ? 'You take' : `${swap.askerName} takes`} ${daysWords(back, zone)} in return.` : ''}
        </small>
      </div>
      {isMine ? (
        <Button variant="default" loading={busy} onClick={() => void answer('cancel')}>
          Cancel request
        </Button>
      ) : (
        <>
          <Button variant="default" loading={busy} onClick={() => void answer('decline')}>
            Decline
          </Button>
          <Button loading={busy} onClick={() => void answer('accept')}>
            Accept
          </Button>
        </>
      )}
    </div>
  );
}
