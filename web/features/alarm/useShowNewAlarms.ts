import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { stateWords } from '../../ui/state-words.ts';
import { toast } from '../../ui/toast/toast.ts';
import { fetchNewAlarms } from './alarm.queries.ts';
import { severityOf } from './alarm.ts';
import { withoutSite } from './message-words.ts';
import { isShownAnyway } from './new-alarm.ts';

/** More than this at once are counted, and not shown one by one. */
const MOST = 3;

/** Shows the alarms that came after a moment, each as the way to its page, whatever page the person is on. */
export function useShowNewAlarms(): (since: Date) => Promise<void> {
  const router = useRouter();
  return useCallback(
    async (since) => {
      const { pathname, search } = router.state.location;
      if (isShownAnyway(pathname, search)) {
        return;
      }
      // Whoever cannot be asked now is asked again with the next count: the bell has it already.
      const { total, rows } = await fetchNewAlarms(since).catch(() => ({ total: 0, rows: [] }));
      if (total > MOST) {
        toast.alarm('Open the list to see them, the worst first.', `${total.toLocaleString()} new alarms`, () =>
          router.navigate({ to: '/dashboard/alarms' }),
        );
        return;
      }
      for (const { uuid, severity, message, siteName } of rows.toReversed()) {
        toast.alarm(withoutSite(message, siteName), `${stateWords[severityOf(severity)]}, ${siteName}`, () =>
          router.navigate({ to: '/dashboard/alarms/$uuid', params: { uuid } }),
        );
      }
    },
    [router],
  );
}
