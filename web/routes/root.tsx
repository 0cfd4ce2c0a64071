import { createRootRoute, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { session } from '../features/auth/session.ts';
import { chromeFor } from '../features/shell/chrome.ts';
import { useStore } from '../ui/store.ts';
import { FailedPage } from './FailedPage.tsx';

// The shell is fetched only by those who have signed in: the login page stays light.
const Shell = lazy(() => import('../features/shell/Shell.tsx').then((module) => ({ default: module.Shell })));

export const rootRoute = createRootRoute({ component: Frame, errorComponent: FailedPage });

function Frame() {
  const pathname = useLocation({ select: (location) => location.pathname });
  const chrome = chromeFor(pathname, useStore(session).status === 'in');
  if (!chrome.header) {
    return <Outlet />;
  }
  return (
    <Suspense fallback={null}>
      <Shell admin={chrome.sidebar}>
        <Outlet />
      </Shell>
    </Suspense>
  );
}
