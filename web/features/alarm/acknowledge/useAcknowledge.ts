import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isKnownLost, lostSince } from '../../../api/connection.ts';
import { ApiError, messageOf } from '../../../api/http.ts';
import { acknowledgementOf } from '../../../kit/format/alarm.ts';
import { alarmName } from '../../../kit/format/alarm-name.ts';
import { useUser } from '../../../kit/session/session.ts';
import { useStore } from '../../../ui/store.ts';
import { toast } from '../../../ui/toast/toast.ts';
import { formatCount } from '../count-words.ts';
import { acknowledgeOne } from './acknowledge.ts';
import {
  type AlarmResult,
  type AlarmToAcknowledge,
  fetchAlarmsToAcknowledge,
  REFRESH,
  sendAcknowledgements,
} from './alarm-actions.queries.ts';
import { offerUndo } from './undo.ts';

const LINK_NOT_USED =
  'The link has expired or belongs to another message. Your acknowledgement was recorded anyway, without the link.';

const NOT_SENT = 'There is no connection, so nothing is acknowledged yet';
const NO_ANSWER =
  'The connection was lost before the server responded. This page will show the result once the connection is back.';
const TRY_AGAIN = 'Your text is kept here. Choose the reason again once the connection is back.';
const RECONNECTED = 'The connection is back. Nothing is acknowledged yet. Choose the reason again.';

/**
 * Provides the state and the action of the acknowledge dialog. Alarms that do not accept the chosen reason stay in
 * `waiting` until the user chooses another reason.
 */
export function useAcknowledge(uuids: readonly string[], link: string | undefined, onDone: () => void) {
  const me = useUser().uuid;
  const client = useQueryClient();
  const [results, setResults] = useState<ReadonlyMap<string, AlarmResult>>(new Map());
  const [errorText, setErrorText] = useState('');
  const isLost = useStore(lostSince) !== null;
  const [busy, setBusy] = useState(false);
  const query = useQuery({
    queryKey: ['alarm', 'to-acknowledge', uuids],
    queryFn: ({ signal }) => fetchAlarmsToAcknowledge(uuids, signal),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: REFRESH,
  });
  const alarms = query.data;
  const isWaiting = (alarm: AlarmToAcknowledge, known: ReadonlyMap<string, AlarmResult>) =>
    !known.has(alarm.uuid) && acknowledgementOf(alarm.acknowledgeJson) === null;

  const acknowledgeSingle = async (alarm: AlarmToAcknowledge, reason: string, text: string) => {
    const outcome = await acknowledgeOne(alarm.uuid, { reason, text }, me, link);
    if (!outcome.done) {
      return;
    }
    offerUndo(client, [alarm.uuid], alarmName(alarm));
    if (link !== undefined && !outcome.linkCounted) {
      toast.info(LINK_NOT_USED);
    }
    onDone();
  };

  const acknowledgeSeveral = async (
    all: readonly AlarmToAcknowledge[],
    acceptedBy: readonly string[],
    reason: string,
    text: string,
  ) => {
    const next = new Map(results);
    for (const result of await sendAcknowledgements(acceptedBy, { reason, text })) {
      next.set(result.uuid, result);
    }
    setResults(next);
    // Close the dialog only if this user acknowledged all alarms; otherwise show the results.
    const isAllDone = all.every(({ uuid }) => next.get(uuid)?.ok === true);
    if (isAllDone) {
      offerUndo(client, [...next.keys()], formatCount(next.size));
      onDone();
    }
  };

  const acknowledge = async (reason: string, text: string, acceptedBy: readonly string[]): Promise<void> => {
    const [alarm] = alarms ?? [];
    if (alarms === undefined || alarm === undefined || busy) {
      return;
    }
    setBusy(true);
    setErrorText('');
    const unanswered = isKnownLost() ? NOT_SENT : NO_ANSWER;
    try {
      if (alarms.length === 1) await acknowledgeSingle(alarm, reason, text);
      else await acknowledgeSeveral(alarms, acceptedBy, reason, text);
    } catch (error) {
      setErrorText(error instanceof ApiError && error.status === 0 ? unanswered : messageOf(error));
    }
    // Refetch the alarms after an error too: another user may have acknowledged first, or the reasons may have changed.
    await client.invalidateQueries({ queryKey: ['alarm'] });
    setBusy(false);
  };

  const waiting = (alarms ?? []).filter((alarm) => isWaiting(alarm, results));
  const isEscalated = waiting.some(({ nextEscalationAt }) => nextEscalationAt !== null);
  const notSent = `${NOT_SENT}${isEscalated ? ', and escalation continues' : ''}. ${TRY_AGAIN}`;
  const isReconnected = !isLost && (errorText === NOT_SENT || errorText === NO_ANSWER);
  return {
    query,
    alarms,
    waiting,
    results,
    errorText: isReconnected ? RECONNECTED : errorText === NOT_SENT ? notSent : errorText,
    busy,
    acknowledge,
  };
}
