import { createRootRoute, createRoute, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { session } from '../features/auth/session.ts';
import { useStore } from '../ui/store.ts';
import { FailedPage } from './FailedPage.tsx';

// The shell is fetched only by those who have signed in: the login page stays light.
const Shell = lazy(() => import('../features/shell/Shell.tsx').then((module) => ({ default: module.Shell })));

export const rootRoute = createRootRoute({ component: Outlet, errorComponent: FailedPage });

/** The parent of every page that stands inside the shell. Login, password and error pages hang on the root and have none. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Frame,
  errorComponent: FailedPage,
});

function Frame() {
  const isAdmin = useLocation({ select: ({ pathname }) => /^\/admin(\/|$)/.test(pathname) });
  // A session that has just ended leaves its page on the screen until the login takes its place.
  if (useStore(session).status !== 'in') {
    return null;
  }
  return (
    <Suspense fallback={null}>
      <Shell admin={isAdmin}>
        <Outlet />
      </Shell>
    </Suspense>
  );
}
