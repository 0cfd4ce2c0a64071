import { useRouter } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import { severityOf } from '../../../kit/format/alarm.ts';
import { withoutSite } from '../../../kit/format/alarm-name.ts';
import { stateWords } from '../../../ui/state-words.ts';
import { now } from '../../../ui/time/clock.ts';
import { dismissSubjects, shownSubjects, toast } from '../../../ui/toast/toast.ts';
import { fetchNewAlarms, fetchStillOpen } from '../alarm.queries.ts';
import { isShownInList } from './new-alarm.ts';

/** Maximum number of toasts that show a single alarm. If there are more new alarms, one toast shows their number. */
const MAX_TOASTS = 3;
/**
 * Minimum time in milliseconds between two toasts that show a number of alarms. Limits the toasts during an alarm
 * flood.
 */
const COUNT_PAUSE_MS = 10_000;

/** Returns a function that shows toasts for the alarms created after `since`. A click on a toast opens the alarm. */
export function useShowNewAlarms(): (since: Date) => Promise<void> {
  const router = useRouter();
  const counted = useRef(Number.NEGATIVE_INFINITY);
  return useCallback(
    async (since) => {
      const { pathname, search } = router.state.location;
      if (isShownInList(pathname, search)) {
        return;
      }
      // If the fetch fails, show no toast: the bell already shows the number of alarms.
      const { total, rows } = await fetchNewAlarms(since).catch(() => ({ total: 0, rows: [] }));
      if (total > MAX_TOASTS) {
        const at = now().getTime();
        if (at - counted.current < COUNT_PAUSE_MS) {
          return;
        }
        counted.current = at;
        toast.alarm('Open the list to see them, most severe first.', `${total.toLocaleString()} new alarms`, () =>
          router.navigate({ to: '/dashboard/alarms' }),
        );
        return;
      }
      for (const { uuid, severity, message, siteName } of rows.toReversed()) {
        toast.alarm(
          withoutSite(message, siteName),
          `${stateWords[severityOf(severity)]}, ${siteName}`,
          () => router.navigate({ to: '/dashboard/alarms/$uuid', params: { uuid } }),
          uuid,
        );
      }
    },
    [router],
  );
}

/** Removes the toasts of resolved alarms. Without this, a toast under the mouse pointer would stay. */
export async function dismissResolvedToasts(): Promise<void> {
  const shown = shownSubjects();
  if (shown.length === 0) return;
  const open = await fetchStillOpen(shown).catch(() => shown);
  dismissSubjects(shown.filter((uuid) => !open.includes(uuid)));
}
