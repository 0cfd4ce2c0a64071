import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { can } from '../../../domain/permission.ts';
import { useActor } from '../auth/actor.ts';
import { useUser } from '../auth/session.ts';
import type { Handleable } from './AlarmDetail.tsx';
import { acknowledgementOf } from './alarm.ts';
import type { AlarmToResolve } from './ResolveDialog.tsx';
import { alarmsOfDraft } from './useReasonDraft.ts';

interface Handling {
  what: 'acknowledge' | 'resolve';
  alarms: readonly Handleable[];
  onDone: (() => void) | undefined;
}

const none: never[] = [];

/** In the place of a message's link: opens the dialog, and belongs to no message. */
export const ASK_AGAIN = 'again';

/**
 * Which dialog is open and for which alarms. The link of a message opens the acknowledge dialog of the alarm it leads to;
 * closing it takes the link out of the address, so that loading the page again does not ask anew. Many alarms that a session's
 * end interrupted are asked for again over the list.
 */
export function useHandling(openId: string | undefined) {
  const { acknowledge } = useSearch({ strict: false }) as { acknowledge?: string };
  const navigate = useNavigate();
  const mayAcknowledge = can(useActor(), 'alarm.acknowledge');
  const [handling, setHandling] = useState<Handling | null>(null);
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
      : none;
  return {
    acknowledging,
    resolving,
    link: isByLink && acknowledge !== ASK_AGAIN ? acknowledge : undefined,
    handle: (what: Handling['what'], alarms: readonly Handleable[], onDone?: () => void) =>
      setHandling({ what, alarms, onDone }),
    stop(carriedThrough: boolean) {
      if (carriedThrough) {
        handling?.onDone?.();
      }
      setHandling(null);
      if (acknowledge !== undefined) {
        void navigate({
          to: '.',
          search: ((before: Record<string, unknown>) => ({ ...before, acknowledge: undefined })) as never,
          replace: true,
          resetScroll: false,
        });
      }
    },
  };
}
