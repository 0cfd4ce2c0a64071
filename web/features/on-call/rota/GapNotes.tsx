import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DAY_MS, type Period } from '../../../../domain/on-call/rota.ts';
import { gapsBetween, isConfirmed } from '../../../../domain/on-call/shifts.ts';
import { messageOf } from '../../../api/http.ts';
import { StateMark } from '../../../ui/StateMark.tsx';
import { useFromNow } from '../../../ui/time/clock.ts';
import { toast } from '../../../ui/toast/toast.ts';
import { sendGapConfirmation } from '../change.queries.ts';
import type { OverrideStart } from '../OverrideDialog.tsx';
import type { ShownLayer, ShownRota } from '../on-call.queries.ts';
import { gapReason, lengthOfPeriod, periodWords } from '../words.ts';
import classes from './RotaPage.module.css';

const AHEAD = 56 * DAY_MS;
const MOST = 3;

interface GapNotesProps {
  rota: ShownRota;
  /** Opens the dialog that covers a gap; undefined if the user may not change the rota. */
  onCover: ((start: OverrideStart) => void) | undefined;
}

/** The gaps of the next eight weeks that nobody has confirmed, the first ones. */
export function GapNotes({ rota, onCover }: GapNotesProps) {
  const now = useFromNow((date) => Math.floor(date.getTime() / 60_000) * 60_000);
  const gaps = rota.layers
    .flatMap((layer) => gapsBetween(layer, now, now + AHEAD).map((gap) => ({ layer, gap })))
    .filter(({ layer, gap }) => !isConfirmed(gap, layer.confirmed))
    .toSorted((a, b) => a.gap.startsAt - b.gap.startsAt);
  return (
    <>
      {gaps.slice(0, MOST).map(({ layer, gap }) => (
        <section key={`${layer.uuid} ${gap.startsAt}`} className={classes.gap} role="status">
          <StateMark state="silent" look="shape" word="Gap" />
          <div>
            <b>
              {layer.name} has a gap: {periodWords(gap, layer.timeZone)}, {lengthOfPeriod(gap)}
            </b>
            <p>{gapReason(gap)} Nobody is on call in this layer then.</p>
          </div>
          {onCover ? (
            <>
              <Button
                variant="default"
                size="xs"
                onClick={() =>
                  onCover({
                    layerUuid: layer.uuid,
                    startsAt: gap.startsAt,
                    endsAt: gap.endsAt,
                    ...(gap.missing && { offUuid: gap.missing.uuid }),
                    coversGap: true,
                  })
                }
              >
                Find cover
              </Button>
              <ConfirmButton layer={layer} gap={gap} />
            </>
          ) : null}
        </section>
      ))}
      {gaps.length > MOST ? <p>{gaps.length - MOST} more gaps in the next eight weeks.</p> : null}
    </>
  );
}

function ConfirmButton({ layer, gap }: { layer: ShownLayer; gap: Period }) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await sendGapConfirmation(layer.uuid, gap);
      toast.success('The gap is confirmed.');
    } catch (error) {
      toast.error(messageOf(error));
    }
    await client.invalidateQueries({ queryKey: ['on-call'] });
    setBusy(false);
  };
  return (
    <Button variant="default" size="xs" loading={busy} onClick={() => void confirm()}>
      Confirm gap
    </Button>
  );
}
