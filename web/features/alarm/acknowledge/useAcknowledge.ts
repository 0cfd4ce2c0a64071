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

const LINK_DID_NOT_COUNT =
  'The link has expired or belongs to another message, so the acknowledgement is recorded as given in the console.';

const NOT_SENT = 'There is no connection, so nothing is acknowledged yet';
const NO_ANSWER =
  'The connection was lost before an answer came. Whether it is acknowledged is shown once the connection is back.';
const TRY_AGAIN = 'What you wrote stays here: choose again once the connection is back.';
const BACK = 'The connection is back. Nothing is acknowledged yet: choose again.';

/**
 * Acknowledging one alarm or many: what is known of them, what became of each so far, and the way to give a reason. Those
 * that a reason does not fit wait for another one.
 */
export function useAcknowledge(uuids: readonly string[], link: string | undefined, onDone: () => void) {
  const me = useUser().uuid;
  const client = useQueryClient();
  const [results, setResults] = useState<ReadonlyMap<string, AlarmResult>>(new Map());
  const [trouble, setTrouble] = useState('');
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

  const one = async (alarm: AlarmToAcknowledge, reason: string, text: string) => {
    const outcome = await acknowledgeOne(alarm.uuid, { reason, text }, me, link);
    if (!outcome.done) {
      return;
    }
    offerUndo(client, [alarm.uuid], alarmName(alarm));
    if (link !== undefined && !outcome.linkCounted) {
      toast.info(LINK_DID_NOT_COUNT);
    }
    onDone();
  };

  const many = async (all: readonly AlarmToAcknowledge[], takenBy: readonly string[], reason: string, text: string) => {
    const next = new Map(results);
    for (const result of await sendAcknowledgements(takenBy, { reason, text })) {
      next.set(result.uuid, result);
    }
    setResults(next);
    // One that somebody else was first with keeps the results in view, also where the news of that came before the reason.
    const isWell = all.every(({ uuid }) => next.get(uuid)?.ok === true);
    if (isWell) {
      offerUndo(client, [...next.keys()], formatCount(next.size));
      onDone();
    }
  };

  const acknowledge = async (reason: string, text: string, takenBy: readonly string[]): Promise<void> => {
    const [alarm] = alarms ?? [];
    if (alarms === undefined || alarm === undefined || busy) {
      return;
    }
    setBusy(true);
    setTrouble('');
    const unanswered = isKnownLost() ? NOT_SENT : NO_ANSWER;
    try {
      if (alarms.length === 1) await one(alarm, reason, text);
      else await many(alarms, takenBy, reason, text);
    } catch (error) {
      setTrouble(error instanceof ApiError && error.status === 0 ? unanswered : messageOf(error));
    }
    // Also after a refusal: somebody may have been quicker, or the reasons have changed.
    await client.invalidateQueries({ queryKey: ['alarm'] });
    setBusy(false);
  };

  const waiting = (alarms ?? []).filter((alarm) => isWaiting(alarm, results));
  const isEscalated = waiting.some(({ nextEscalationAt }) => nextEscalationAt !== null);
  const notSent = `${NOT_SENT}${isEscalated ? ' and escalation goes on' : ''}. ${TRY_AGAIN}`;
  const isInside = !isLost && (trouble === NOT_SENT || trouble === NO_ANSWER);
  return {
    query,
    alarms,
    waiting,
    results,
    trouble: isInside ? BACK : trouble === NOT_SENT ? notSent : trouble,
    busy,
    acknowledge,
  };
}
