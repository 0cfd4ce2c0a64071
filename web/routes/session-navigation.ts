import { startPathOf } from '../../domain/profile.ts';
import { landingOf } from '../features/auth/landing.ts';
import { safeReturnPath } from '../features/auth/return-path.ts';
import { unfinishedAction } from '../features/auth/unfinished-action.ts';
import { actorOf } from '../kit/session/actor.ts';
import { interruptibleAction } from '../kit/session/interrupted-action.ts';
import { session } from '../kit/session/session.ts';
import { toast } from '../ui/toast/toast.ts';
import type { router as Router } from './router.tsx';

const LOGIN = '/auth/login';

/** When the login state changes, navigates to the login page, to the start page, or back to the previous page. */
export function followSession(router: typeof Router): void {
  session.subscribe((next, before) => {
    const { pathname, href } = router.state.location;
    if (next.status === 'in') unfinishedAction.set('');
    if (next.status === 'in' && before.status !== 'in' && pathname === LOGIN) {
      const search: { return?: unknown } = router.state.location.search;
      router.history.replace(
        safeReturnPath(search.return) ?? landingOf(actorOf(next.user), startPathOf(next.user.start_page)),
      );
    }
    if (next.status === 'out' && before.status === 'in') {
      const undone = interruptibleAction.get();
      const back = next.because === 'expired' ? safeReturnPath(undone?.path ?? href) : null;
      if (next.because === 'expired' && undone) {
        unfinishedAction.set(undone.words);
      } else if (next.because === 'expired') {
        toast.info('Your session has ended. Sign in to continue.');
      }
      void router.navigate({ to: LOGIN, search: back ? { return: back } : {}, replace: true });
    }
  });
}
