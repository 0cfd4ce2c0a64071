import { Button, Textarea } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { isKnownLost, lostSince } from '../../../api/connection.ts';
import { ApiError, messageOf } from '../../../api/http.ts';
import { At } from '../../../kit/format/At.tsx';
import type { Resolution } from '../../../kit/format/alarm.ts';
import { alarmName, withoutSite } from '../../../kit/format/alarm-name.ts';
import { useInterruptibleAction } from '../../../kit/session/interrupted-action.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { useStore } from '../../../ui/store.ts';
import { toast } from '../../../ui/toast/toast.ts';
import { ClearingSince } from '../ClearingSince.tsx';
import classes from './AlarmDialog.module.css';
import { fetchAlarmsToResolve, REFRESH, sendResolutions } from './alarm-actions.queries.ts';
import { AlarmNames, AlreadyResolved, DialogError, Results, UnsavedText } from './DialogParts.tsx';
import { type AlarmToResolve, countAndNames } from './reasons.ts';
import { REOPEN } from './useAlarmDialog.ts';
import { useResolveDraft } from './useResolveDraft.ts';

const MAX_NOTE = 2000;
const NOT_SENT =
  'There is no connection, so nothing is resolved yet. Your text is kept here. Try again once the connection is back.';
const NO_ANSWER =
  'The connection was lost before the server responded. This page will show the result once the connection is back.';
const RECONNECTED = 'The connection is back. Nothing is resolved yet. Try again.';

interface ResolveDialogProps {
  /** The alarms to resolve; empty while the dialog is closed. */
  alarms: readonly AlarmToResolve[];
  /** Called when the dialog closes. `completed` is true if every alarm has a result. */
  onClose: (completed: boolean) => void;
}

/** Dialog that resolves alarms manually, with an optional note. */
export function ResolveDialog({ alarms, onClose }: ResolveDialogProps) {
  const label = alarms.length > 1 ? `Resolve ${alarms.length.toLocaleString()} alarms` : 'Resolve alarm';
  if (alarms.length === 0) {
    return (
      <Dialog opened={false} onClose={() => onClose(false)} label={label}>
        {null}
      </Dialog>
    );
  }
  return <OpenDialog key={alarms.map(({ uuid }) => uuid).join()} alarms={alarms} label={label} onClose={onClose} />;
}

function OpenDialog({ alarms: asked, label, onClose: closed }: ResolveDialogProps & { label: string }) {
  // Keep the alarms that the dialog was opened with, because the list behind it can change.
  const [alarms] = useState(asked);
  const { note, keep, drop } = useResolveDraft(alarms);
  // biome-ignore lint/correctness/useExhaustiveDependencies: saves the draft once, when the dialog opens; each edit saves it again.
  useEffect(() => keep(note), []);
  const close = (completed: boolean) => {
    drop();
    closed(completed);
  };
  const client = useQueryClient();
  const uuids = alarms.map(({ uuid }) => uuid);
  useInterruptibleAction(...interruptedAction(uuids));
  const known = useQuery({
    queryKey: ['alarm', 'to-resolve', uuids],
    queryFn: ({ signal }) => fetchAlarmsToResolve(uuids, signal),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: REFRESH,
  }).data;
  const [only] = alarms.length === 1 ? alarms : [];
  const [unanswered, setUnanswered] = useState('');
  const resolve = useMutation({
    // Without the network mode `always`, the mutation would wait silently until the connection is back.
    networkMode: 'always',
    mutationFn: () => {
      setUnanswered(isKnownLost() ? NOT_SENT : NO_ANSWER);
      return sendResolutions(uuids, note.trim());
    },
    // Refetch the alarms even if no response arrives, because the server may have resolved them.
    onSettled: () => void client.invalidateQueries({ queryKey: ['alarm'] }),
    onSuccess: (results) => {
      if (results.every(({ ok }) => ok)) {
        toast.success(only ? alarmName(only) : `${alarms.length.toLocaleString()} alarms`, 'Resolved');
        close(true);
      }
    },
  });
  const isLost = useStore(lostSince) !== null;
  const isOffline = resolve.error instanceof ApiError && resolve.error.status === 0;
  const results = resolve.data;
  const still = only && known?.get(only.uuid)?.still;
  const stillOutside = alarms.filter(({ uuid }) => known?.get(uuid)?.still);
  const back = only && known?.get(only.uuid)?.back;
  const allInside = uuids.every((uuid) => known?.get(uuid)?.isInside);
  const refused = results?.find(({ ok }) => !ok);
  const earlierResolution = (uuid: string) => (resolve.isPending ? null : (known?.get(uuid)?.resolution ?? null));
  const earlierWords = (uuid: string) => alreadyResolvedWords(earlierResolution(uuid));
  const isFinished = refused !== undefined || uuids.every((uuid) => earlierResolution(uuid) !== null);
  const isForestalled = isFinished && !results?.some(({ ok }) => ok);
  const onlyEarlier = only ? earlierResolution(only.uuid) : null;
  const onClose = () => close(isFinished);
  const unacknowledged = alarms.flatMap(({ uuid, acknowledged }) =>
    acknowledged || known?.get(uuid)?.acknowledged ? [] : uuid,
  );
  const which = only
    ? 'it'
    : unacknowledged.length === alarms.length
      ? 'any of them'
      : countAndNames(unacknowledged, alarms);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    resolve.mutate();
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      label={label}
      head={only ? <span className={classes.age}>Resolve</span> : <h2>{label}</h2>}
    >
      {only ? (
        <div className={classes.title}>
          <h2>{withoutSite(only.message, only.siteName)}</h2>
          <p>{only.siteName}</p>
        </div>
      ) : null}
      {resolve.isError && !isFinished ? (
        <DialogError>{!isOffline ? messageOf(resolve.error) : isLost ? unanswered : RECONNECTED}</DialogError>
      ) : null}
      {onlyEarlier ? (
        <AlreadyResolved resolution={onlyEarlier} />
      ) : only && refused ? (
        <DialogError>{refused.sentence}</DialogError>
      ) : null}
      {!only && isFinished ? (
        <Results
          label="Results"
          alarms={alarms.map((alarm) => {
            const result = results?.find(({ uuid }) => uuid === alarm.uuid);
            const ok = result?.ok === true;
            const status = ok ? 'Resolved' : (earlierWords(alarm.uuid) ?? result?.sentence);
            return { ...alarm, outcome: ok ? 'done' : 'refused', status };
          })}
        />
      ) : null}
      {isForestalled && note.trim() !== '' && note.trim() !== onlyEarlier?.note ? (
        <UnsavedText texts={[note.trim()]} />
      ) : null}
      {isFinished ? (
        <div className={classes.buttons}>
          <Button variant="default" autoFocus onClick={onClose}>
            Close
          </Button>
        </div>
      ) : (
        <form onSubmit={submit}>
          {only ? null : (
            <AlarmNames
              alarms={alarms
                .map((alarm) => ({
                  ...alarm,
                  status: earlierWords(alarm.uuid) ?? known?.get(alarm.uuid)?.still?.words,
                }))
                // Alarms with a warning come first in the dialog.
                .toSorted((one, other) => Number(other.status !== undefined) - Number(one.status !== undefined))}
            />
          )}
          {still ? (
            <p className={classes.still} role="status">
              <b>{still.words}</b> {still.afterwards}
            </p>
          ) : back ? (
            <p className={classes.still} role="status">
              <b>Back to normal</b> <ClearingSince back={back} />
            </p>
          ) : stillOutside.length > 0 ? (
            <p className={classes.still} role="status">
              <b>
                {stillOutside.length === alarms.length
                  ? `All ${stillOutside.length.toLocaleString()} alarms are still active.`
                  : stillOutside.length === 1
                    ? 'One of the alarms is still active.'
                    : `${stillOutside.length.toLocaleString()} of the alarms are still active.`}
              </b>{' '}
              If a value stays in the alarm range, a new alarm opens.
            </p>
          ) : null}
          <p className={classes.age}>
            Rule alarms resolve automatically when the value returns to normal. Resolve an alarm yourself only if the
            problem is solved
            {stillOutside.length > 0 || allInside
              ? '.'
              : '. If a value is still in the alarm range, a new alarm opens.'}
            {unacknowledged.length > 0
              ? ` Nobody has acknowledged ${which}. You can still acknowledge after resolving.`
              : ''}
          </p>
          <Textarea
            className={classes.note}
            label="Note"
            description="Optional note for the record."
            rows={3}
            maxLength={MAX_NOTE}
            value={note}
            data-autofocus
            onChange={(event) => keep(event.currentTarget.value)}
          />
          <div className={classes.buttons}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={resolve.isPending}>
              Resolve
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function alreadyResolvedWords(resolution: Resolution | null): ReactNode {
  return resolution === null ? null : (
    <>
      {resolution.name === null ? 'This alarm resolved automatically' : `${resolution.name} resolved this alarm first`},{' '}
      <At at={resolution.at} />
    </>
  );
}

/** Returns the text that the login page shows if the session ends, and the path that reopens the dialog. */
function interruptedAction([uuid, ...others]: readonly string[]): [words: string, path: string] {
  return others.length > 0
    ? ['Your session ended before these alarms were resolved.', `/dashboard/alarms?resolve=${REOPEN}`]
    : ['Your session ended before the alarm was resolved.', `/dashboard/alarms/${uuid}?resolve=${REOPEN}`];
}
