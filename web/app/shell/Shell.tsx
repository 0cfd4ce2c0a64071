import { QueryClientProvider } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react';
import { can } from '../../../domain/permission.ts';
import { queryClient } from '../../api/query-client.ts';
import { isProfileOpen } from '../../features/profile/index.ts';
import { installWorker } from '../../features/push/index.ts';
import { useActor } from '../../kit/session/actor.ts';
import { useUser } from '../../kit/session/session.ts';
import { useStore } from '../../ui/store.ts';
import { TimeZone } from '../../ui/time/TimeZone.tsx';
import { showWholeText } from '../../ui/whole-text.ts';
import { OfferedStep } from '../first-steps/OfferedStep.tsx';
import { CommandPalette } from '../palette/CommandPalette.tsx';
import { keepEarlyKeys } from '../palette/early-keys.ts';
import { ClockNotice } from './ClockNotice.tsx';
import { ConnectionBanner } from './ConnectionBanner.tsx';
import { DeliveryBanner } from './DeliveryBanner.tsx';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { KeyList } from './KeyList.tsx';
import { NewVersion } from './NewVersion.tsx';
import classes from './Shell.module.css';
import { Sidebar, SidebarDrawer } from './Sidebar.tsx';
import { SystemAlarmBanner } from './SystemAlarmBanner.tsx';
import { TabBar } from './TabBar.tsx';
import { useThemeColor } from './ThemeChoice.tsx';

/** Shows the header, the page and the footer. In the admin area, users who may enter it also see the sidebar. */
export function Shell({ admin, children }: { admin: boolean; children: ReactNode }) {
  const user = useUser();
  const sidebar = can(useActor(), 'admin.enter') && admin;
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [drawerOpen, setDrawerOpen] = useState(false);
  const main = useFocusOnNewPage();
  // Renders the page after the shell. Rendering both together would block the main thread twice as long.
  const page = useDeferredValue(children, null);
  usePaletteKey(() => {
    if (!paletteOpen) keepEarlyKeys();
    setPaletteOpen(true);
  });
  useThemeColor();
  useEffect(installWorker, []);
  useEffect(showWholeText, []);
  // The next user must not see the cached data of the previous one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of user clears the cache.
  useEffect(() => () => queryClient.clear(), [user.uuid]);

  return (
    <QueryClientProvider client={queryClient}>
      <TimeZone value={user.tocsin_customer.time_zone}>
        <div className={classes.shell} data-shell data-sidebar={sidebar || undefined}>
          <a className={classes.skip} href="#main">
            Skip to content
          </a>
          <Header
            onPalette={() => setPaletteOpen(true)}
            {...(sidebar ? { onSidebar: () => setDrawerOpen(true) } : {})}
          />
          <ConnectionBanner />
          <SystemAlarmBanner />
          <DeliveryBanner />
          <NewVersion />
          <ClockNotice />
          <div className={classes.body}>
            {sidebar ? <Sidebar /> : null}
            <div className={classes.content}>
              {sidebar ? <OfferedStep /> : null}
              <main id="main" ref={main} className={classes.main} tabIndex={-1}>
                {page}
              </main>
              {/* The footer appears after the page has loaded, so that the page does not push it down. */}
              {page === null ? null : <Footer />}
            </div>
          </div>
          <TabBar />
        </div>
        {sidebar ? <SidebarDrawer opened={drawerOpen} onClose={() => setDrawerOpen(false)} /> : null}
        <KeyList />
        <Profile />
        <CommandPalette opened={paletteOpen} onClose={() => setPaletteOpen(false)} />
      </TimeZone>
    </QueryClientProvider>
  );
}

const ProfileDialog = lazy(() =>
  import('../../features/profile/ProfileDialog.tsx').then((part) => ({ default: part.ProfileDialog })),
);

function Profile() {
  return useStore(isProfileOpen) ? (
    <Suspense>
      <ProfileDialog onClose={() => isProfileOpen.set(false)} />
    </Suspense>
  ) : null;
}

/** Moves the focus to a newly opened page, so that keyboard navigation and screen readers start there. */
function useFocusOnNewPage() {
  const main = useRef<HTMLElement>(null);
  // Uses the router's resolved location: the current location changes while the previous page is still mounted and
  // focused.
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current !== pathname) {
      const isFirst = before.current === undefined;
      before.current = pathname;
      if (!isFirst && !main.current?.contains(document.activeElement)) {
        main.current?.focus({ preventScroll: true });
      }
    }
  }, [pathname]);
  return main;
}

function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        open();
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  });
}
