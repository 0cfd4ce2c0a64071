import { useRouter } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import { severityOf } from '../../../kit/format/alarm.ts';
import { withoutSite } from '../../../kit/format/alarm-name.ts';
import { stateWords } from '../../../ui/state-words.ts';
import { now } from '../../../ui/time/clock.ts';
import { aboutInView, takeBack, toast } from '../../../ui/toast/toast.ts';
import { fetchNewAlarms, fetchStillOpen } from '../alarm.queries.ts';
import { isShownAnyway } from './new-alarm.ts';

/** More than this at once are counted, and not shown one by one. */
const MOST = 3;
/** In a storm they are counted again only after so many milliseconds. */
const REST = 10_000;

/** Shows the alarms that came after a moment, each as the way to its page, whatever page the person is on. */
export function useShowNewAlarms(): (since: Date) => Promise<void> {
  const router = useRouter();
  const counted = useRef(Number.NEGATIVE_INFINITY);
  return useCallback(
    async (since) => {
      const { pathname, search } = router.state.location;
      if (isShownAnyway(pathname, search)) {
        return;
      }
      // Whoever cannot be asked now is asked again with the next count: the bell has it already.
      const { total, rows } = await fetchNewAlarms(since).catch(() => ({ total: 0, rows: [] }));
      if (total > MOST) {
        const at = now().getTime();
        if (at - counted.current < REST) {
          return;
        }
        counted.current = at;
        toast.alarm('Open the list to see them, the worst first.', `${total.toLocaleString()} new alarms`, () =>
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

/** Takes the alarms that have ended out of view: one that somebody rests on would stay. */
export async function takeBackEnded(): Promise<void> {
  const shown = aboutInView();
  if (shown.length === 0) return;
  const open = await fetchStillOpen(shown).catch(() => shown);
  takeBack(shown.filter((uuid) => !open.includes(uuid)));
}
