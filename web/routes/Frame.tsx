import { Outlet, useLocation } from '@tanstack/react-router';
import { Shell } from '../app/shell/Shell.tsx';
import { session } from '../kit/session/session.ts';
import { useStore } from '../ui/store.ts';

/** The shell with the open page inside. A file of its own, because it is fetched only by those who have signed in. */
export function Frame() {
  const isAdmin = useLocation({ select: ({ pathname }) => /^\/admin(\/|$)/.test(pathname) });
  // A session that has just ended leaves its page on the screen until the login takes its place.
  const current = useStore(session);
  if (current.status !== 'in') {
    return null;
  }
  // Another locale draws everything anew.
  return (
    <Shell key={current.user.locale} admin={isAdmin}>
      <Outlet />
    </Shell>
  );
}
