import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { can } from '../../../../domain/permission.ts';
import { acknowledgementOf } from '../../../kit/format/alarm.ts';
import { useActor } from '../../../kit/session/actor.ts';
import { useUser } from '../../../kit/session/session.ts';
import type { AlarmToResolve } from './reasons.ts';
import { draftAlarmUuids } from './useReasonDraft.ts';
import { draftAlarms } from './useResolveDraft.ts';

/** The fields of an alarm that the dialogs need. */
export interface DialogAlarm {
  uuid: string;
  message: string;
  siteName: string;
  acknowledgeJson: unknown;
  resolvedDate: string | null;
}

/** The action that a dialog performs on alarms. */
export type AlarmAction = 'acknowledge' | 'resolve' | 'shelve';

interface OpenDialog {
  what: AlarmAction;
  alarms: readonly DialogAlarm[];
  onDone: (() => void) | undefined;
}

const none: never[] = [];

/**
 * Value of `?acknowledge=` or `?resolve=` that reopens an interrupted dialog after sign-in. Any other value of
 * `?acknowledge=` is a link code.
 */
export const REOPEN = 'again';

/**
 * Returns which dialog is open and for which alarms. A link in a message opens the acknowledge dialog of its alarm.
 * Closing the dialog removes the link from the URL, so that a reload does not open the dialog again. If the session
 * ends, the dialog opens again after sign-in. Drafts belong to a user: the resolve dialog, and the acknowledge dialog
 * for several alarms, open again only for the same user.
 */
export function useAlarmDialog(openId: string | undefined) {
  const { acknowledge, resolve } = useSearch({ strict: false }) as { acknowledge?: string; resolve?: string };
  const navigate = useNavigate();
  const actor = useActor();
  const mayAcknowledge = can(actor, 'alarm.acknowledge');
  const mayResolve = can(actor, 'alarm.resolve');
  const [handling, setHandling] = useState<OpenDialog | null>(null);
  const me = useUser().uuid;
  const isByLink = handling === null && acknowledge !== undefined && mayAcknowledge;
  const linkedAlarms = openId !== undefined ? [openId] : acknowledge === REOPEN ? draftAlarmUuids(me) : none;
  const acknowledging =
    handling?.what === 'acknowledge' ? handling.alarms.map(({ uuid }) => uuid) : isByLink ? linkedAlarms : none;
  const resolving: readonly AlarmToResolve[] =
    handling?.what === 'resolve'
      ? handling.alarms.map(({ uuid, message, siteName, acknowledgeJson }) => ({
          uuid,
          message,
          siteName,
          acknowledged: acknowledgementOf(acknowledgeJson) !== null,
        }))
      : handling === null && resolve === REOPEN && mayResolve
        ? interruptedAlarms(draftAlarms(me), openId)
        : none;
  return {
    acknowledging,
    named: handling?.alarms ?? none,
    resolving,
    /** Uuid of the alarm to shelve; undefined while that dialog is closed. */
    shelving: handling?.what === 'shelve' ? handling.alarms[0]?.uuid : undefined,
    link: isByLink && acknowledge !== REOPEN ? acknowledge : undefined,
    handle: (what: OpenDialog['what'], alarms: readonly DialogAlarm[], onDone?: () => void) =>
      setHandling({ what, alarms, onDone }),
    stop(completed: boolean) {
      if (completed) {
        handling?.onDone?.();
      }
      setHandling(null);
      if (acknowledge !== undefined || resolve !== undefined) {
        void navigate({
          to: '.',
          search: ((before: Record<string, unknown>) => ({
            ...before,
            acknowledge: undefined,
            resolve: undefined,
          })) as never,
          replace: true,
          resetScroll: false,
        });
      }
    },
  };
}

/**
 * Returns the alarms of the interrupted dialog. With `openId`, returns them only if the draft is for that alarm alone.
 */
function interruptedAlarms(alarms: readonly AlarmToResolve[], openId: string | undefined): readonly AlarmToResolve[] {
  return openId === undefined || (alarms.length === 1 && alarms[0]?.uuid === openId) ? alarms : none;
}
