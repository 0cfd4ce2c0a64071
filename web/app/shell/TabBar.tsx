import { Drawer } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { TbMenu2 } from 'react-icons/tb';
import { AlarmTab } from '../../features/alarm/index.ts';
import { isWithin, mainPlacesFor, ownPlacesFor, type Place } from '../../kit/page/navigation.ts';
import classes from '../../kit/page/TabBar.module.css';
import { useActor } from '../../kit/session/actor.ts';
import { useOverlay } from '../../ui/useOverlay.ts';
import { UserPanel } from './UserPanel.tsx';

const isAdmin = (place: Place) => place.label === 'Admin';

/** The main pages at the bottom of a phone screen. The More menu contains the remaining pages. */
export function TabBar() {
  const [open, setOpen] = useState(false);
  const hasMore = useOverlay(open);
  const pathname = useLocation({ select: (location) => location.pathname });
  const actor = useActor();
  const places = mainPlacesFor(actor);
  const behindMore = places.filter(isAdmin);
  const [first, ...others] = places.filter((place) => !isAdmin(place));
  const close = () => setOpen(false);
  return (
    <>
      <nav className={classes.tabbar} aria-label="Main">
        {first ? <Tab place={first} pathname={pathname} /> : null}
        <AlarmTab />
        {others.map((place) => (
          <Tab key={place.to} place={place} pathname={pathname} />
        ))}
        <button
          type="button"
          className={classes.tab}
          data-here={behindMore.some((place) => isWithin(pathname, place)) || undefined}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          <TbMenu2 size={20} strokeWidth={1.75} aria-hidden />
          More
        </button>
      </nav>
      {hasMore ? (
        <Drawer.Root opened={open} onClose={close} position="bottom" size="auto" padding={0}>
          <Drawer.Overlay />
          <Drawer.Content className={classes.sheet} aria-label="More">
            <UserPanel places={[...ownPlacesFor(actor), ...behindMore]} onChoose={close} />
          </Drawer.Content>
        </Drawer.Root>
      ) : null}
    </>
  );
}

function Tab({ place, pathname }: { place: Place; pathname: string }) {
  // The paths of the alarm pages start with /dashboard, but the alarms have their own tab.
  const here = isWithin(pathname, place) && !pathname.startsWith('/dashboard/alarms');
  return (
    <Link to={place.to} className={classes.tab} data-here={here || undefined}>
      <place.icon size={20} strokeWidth={1.75} />
      {place.label}
    </Link>
  );
}
