import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { can } from '../../../../domain/permission.ts';
import { acknowledgementOf } from '../../../kit/format/alarm.ts';
import { useActor } from '../../../kit/session/actor.ts';
import { useUser } from '../../../kit/session/session.ts';
import type { AlarmToResolve } from './reasons.ts';
import { alarmsOfDraft } from './useReasonDraft.ts';
import { alarmsToResolveOfDraft } from './useResolveDraft.ts';

/** What can be done with the alarm that is shown, as the dialogs need it. */
export interface DialogAlarm {
  uuid: string;
  message: string;
  siteName: string;
  acknowledgeJson: unknown;
  resolvedDate: string | null;
}

interface OpenDialog {
  what: 'acknowledge' | 'resolve';
  alarms: readonly DialogAlarm[];
  onDone: (() => void) | undefined;
}

const none: never[] = [];

/** In the place of a message's link: opens the dialog again, and belongs to no message. */
export const ASK_AGAIN = 'again';

/**
 * Which dialog is open and for which alarms. The link of a message opens the acknowledge dialog of the alarm it leads to;
 * closing it takes the link out of the address, so that loading the page again does not ask anew. What a session's end
 * interrupted is asked for again: many alarms over the list, and a resolution only for whoever was about to give it.
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
  const meant = openId !== undefined ? [openId] : acknowledge === ASK_AGAIN ? alarmsOfDraft(me) : none;
  const acknowledging =
    handling?.what === 'acknowledge' ? handling.alarms.map(({ uuid }) => uuid) : isByLink ? meant : none;
  const resolving: readonly AlarmToResolve[] =
    handling?.what === 'resolve'
      ? handling.alarms.map(({ uuid, message, siteName, acknowledgeJson }) => ({
          uuid,
          message,
          siteName,
          acknowledged: acknowledgementOf(acknowledgeJson) !== null,
        }))
      : handling === null && resolve === ASK_AGAIN && mayResolve
        ? interrupted(alarmsToResolveOfDraft(me), openId)
        : none;
  return {
    acknowledging,
    named: handling?.alarms ?? none,
    resolving,
    link: isByLink && acknowledge !== ASK_AGAIN ? acknowledge : undefined,
    handle: (what: OpenDialog['what'], alarms: readonly DialogAlarm[], onDone?: () => void) =>
      setHandling({ what, alarms, onDone }),
    stop(carriedThrough: boolean) {
      if (carriedThrough) {
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

/** Those of the page: an alarm's own page asks for no other one. */
function interrupted(alarms: readonly AlarmToResolve[], openId: string | undefined): readonly AlarmToResolve[] {
  return openId === undefined || (alarms.length === 1 && alarms[0]?.uuid === openId) ? alarms : none;
}
