import { Outlet, useLocation } from '@tanstack/react-router';
import { Shell } from '../app/shell/Shell.tsx';
import { followEarly } from '../features/alarm/index.ts';
import { type Session, session } from '../kit/session/session.ts';
import { useStore } from '../ui/store.ts';

// Starts the alarm subscription as soon as the user is known, while the code of the page is still loading.
const stop = session.subscribe(followEarlyOnce);
followEarlyOnce(session.get());

function followEarlyOnce({ status }: Session): void {
  if (status !== 'in') return;
  stop();
  followEarly();
}

/** The shell around the open page. This component has its own file, so that only signed-in users load it. */
export function Frame() {
  const isAdmin = useLocation({ select: ({ pathname }) => /^\/admin(\/|$)/.test(pathname) });
  // After the session ends, this component stays mounted until the login page replaces it.
  const current = useStore(session);
  if (current.status !== 'in') {
    return null;
  }
  // A change of the locale changes the key, so that the whole page is rendered again.
  return (
    <Shell key={current.user.locale} admin={isAdmin}>
      <Outlet />
    </Shell>
  );
}
