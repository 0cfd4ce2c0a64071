import { VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useLocation } from '@tanstack/react-router';
import { TbMenu2, TbSearch } from 'react-icons/tb';
import { startPageOf } from '../../../domain/profile.ts';
import { AlarmBell } from '../../features/alarm/index.ts';
import { Mark } from '../../kit/brand/Mark.tsx';
import { headerSlot } from '../../kit/page/header-slot.ts';
import { isWithin, mainPlacesFor, type Place } from '../../kit/page/navigation.ts';
import { useActor } from '../../kit/session/actor.ts';
import { useUser } from '../../kit/session/session.ts';
import { StateMark } from '../../ui/StateMark.tsx';
import { useStore } from '../../ui/store.ts';
import { paletteHint } from '../palette/palette.sources.ts';
import classes from './Header.module.css';
import { paletteKey } from './palette-key.ts';
import { UserMenu } from './UserMenu.tsx';

interface HeaderProps {
  onPalette: () => void;
  /** Called to open the sidebar as a drawer; omitted on pages without a sidebar. */
  onSidebar?: () => void;
}

export function Header({ onPalette, onSidebar }: HeaderProps) {
  const places = mainPlacesFor(useActor());
  const start = startPageOf(useUser().start_page);
  const narrow = useMediaQuery('(max-width: 1023px)', false, { getInitialValueInEffect: false });
  return (
    <header className={classes.header}>
      <div className={classes.start}>
        {onSidebar ? (
          <button type="button" className={classes.drawerButton} aria-label="Admin menu" onClick={onSidebar}>
            <TbMenu2 size={20} strokeWidth={1.75} aria-hidden />
          </button>
        ) : null}
        <Link className={classes.brand} to={start.to} aria-label={`Tocsin, go to ${start.label}`}>
          <Mark size={24} />
          <span className={classes.product}>Tocsin</span>
        </Link>
        <nav className={classes.nav} aria-label="Main">
          {places.map((place) => (
            <PlaceLink key={place.to} place={place} />
          ))}
        </nav>
      </div>
      <Middle />
      <div className={classes.end}>
        <button type="button" className={classes.palette} aria-keyshortcuts="Control+K Meta+K" onClick={onPalette}>
          <TbSearch size={16} strokeWidth={1.75} aria-hidden />
          {narrow ? <VisuallyHidden>{paletteHint()}</VisuallyHidden> : <span>{paletteHint()}</span>}
          <kbd aria-hidden>{paletteKey}</kbd>
        </button>
        <AlarmBell />
        <UserMenu />
      </div>
    </header>
  );
}

function PlaceLink({ place }: { place: Place }) {
  const pathname = useLocation({ select: (location) => location.pathname });
  const here = isWithin(pathname, place);
  return (
    <Link
      to={place.to}
      className={classes.navLink}
      data-here={here || undefined}
      aria-current={here ? 'page' : undefined}
    >
      {place.label}
    </Link>
  );
}

function Middle() {
  const middle = useStore(headerSlot);
  if (middle.kind === 'title') {
    return <div className={classes.middle}>{middle.title}</div>;
  }
  return (
    <div className={classes.middle} role="status">
      <StateMark state={middle.state} acknowledged={middle.acknowledged} word={middle.words} />
      {middle.note ? <span className={classes.note}>{middle.note}</span> : null}
    </div>
  );
}
