import { Drawer, Menu, VisuallyHidden } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { TbChevronDown, TbLayoutSidebarLeftCollapse, TbLayoutSidebarLeftExpand } from 'react-icons/tb';
import { adminEntriesFor, type Place, type PlaceGroup } from '../../kit/page/navigation.ts';
import { useActor } from '../../kit/session/actor.ts';
import { useUser } from '../../kit/session/session.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { LightTooltip } from '../../ui/LightTooltip.tsx';
import { useOverlay } from '../../ui/useOverlay.ts';
import { nextStep } from '../first-steps/first-steps.ts';
import { useFirstSteps } from '../first-steps/useFirstSteps.ts';
import classes from './Sidebar.module.css';

/**
 * Navigation of the admin area. It can be collapsed to icons. On tablets it is collapsed at first. The browser stores
 * the choice for tablets separately.
 */
export function Sidebar() {
  const narrow = useMediaQuery('(max-width: 1099px)', false, { getInitialValueInEffect: false });
  const [width, setWidth] = useLocalStorage<'full' | 'icons'>({
    key: narrow ? 'tocsin-sidebar-narrow' : 'tocsin-sidebar',
    defaultValue: narrow ? 'icons' : 'full',
    getInitialValueInEffect: false,
  });
  const icons = width === 'icons';
  const Fold = icons ? TbLayoutSidebarLeftExpand : TbLayoutSidebarLeftCollapse;
  const label = icons ? 'Expand' : 'Collapse';
  return (
    <nav className={classes.side} data-icons={icons || undefined} aria-label="Admin">
      <Entries icons={icons} />
      <span className={classes.space} />
      {icons ? null : <NextStep />}
      <LightTooltip label={() => label} position="right" disabled={!icons}>
        <button
          type="button"
          className={classes.entry}
          aria-expanded={!icons}
          onClick={() => setWidth(icons ? 'full' : 'icons')}
        >
          <Fold size={16} strokeWidth={1.75} aria-hidden />
          <Label icons={icons}>{label}</Label>
        </button>
      </LightTooltip>
    </nav>
  );
}

/** The sidebar's entries on a phone, in a drawer that slides in from the left. */
export function SidebarDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  if (!useOverlay(opened)) return null;
  return (
    <Drawer.Root opened={opened} onClose={onClose} size={280} padding={0}>
      <Drawer.Overlay />
      <Drawer.Content aria-label="Admin menu">
        <nav className={classes.drawer} aria-label="Admin">
          <Entries icons={false} onOpen={onClose} />
          <NextStep onOpen={onClose} />
        </nav>
      </Drawer.Content>
    </Drawer.Root>
  );
}

function Entries({ icons, onOpen }: { icons: boolean; onOpen?: () => void }) {
  const user = useUser();
  const entries = adminEntriesFor(useActor());
  return (
    <>
      <div className={classes.me}>
        <Avatar name={user.display_name} size={32} />
        <div className={classes.meText}>
          <span>{user.display_name}</span>
          <small>{user.email}</small>
        </div>
      </div>
      {entries.map((entry) =>
        'children' in entry ? (
          <Group key={entry.label} group={entry} icons={icons} onOpen={onOpen} />
        ) : (
          <Entry key={entry.to} place={entry} icons={icons} onOpen={onOpen} />
        ),
      )}
    </>
  );
}

/** The next setup step, on every page of the admin area. */
function NextStep({ onOpen }: { onOpen?: () => void }) {
  const steps = useFirstSteps();
  const navigate = useNavigate();
  const next = steps && nextStep(steps);
  if (!next) return null;
  const begin = () => {
    onOpen?.();
    void navigate({ to: next.to, search: next.search as never });
  };
  return (
    <button type="button" className={classes.next} onClick={begin}>
      <small>
        Step {steps.indexOf(next) + 1} of {steps.length}
      </small>
      <span>{next.name}</span>
    </button>
  );
}

interface EntryProps {
  place: Place;
  icons: boolean;
  inGroup?: boolean;
  onOpen: (() => void) | undefined;
}

function Entry({ place, icons, inGroup = false, onOpen }: EntryProps) {
  return (
    <LightTooltip label={() => place.label} position="right" disabled={!icons}>
      <Link
        to={place.to}
        className={classes.entry}
        data-in-group={inGroup || undefined}
        {...(onOpen ? { onClick: onOpen } : {})}
      >
        {inGroup ? null : <place.icon size={16} strokeWidth={1.75} />}
        <Label icons={icons}>{place.label}</Label>
      </Link>
    </LightTooltip>
  );
}

/** Label of an entry. Visually hidden if the sidebar is collapsed, but screen readers still read it. */
function Label({ icons, children }: { icons: boolean; children: string }) {
  return icons ? <VisuallyHidden>{children}</VisuallyHidden> : <span className={classes.label}>{children}</span>;
}

function Group({ group, icons, onOpen }: { group: PlaceGroup; icons: boolean; onOpen: (() => void) | undefined }) {
  const [open, setOpen] = useState(true);
  const pathname = useLocation({ select: (location) => location.pathname });
  const here = group.children.some((place) => place.to === pathname);
  if (icons) {
    return (
      <Menu position="right-start" offset={6} withinPortal>
        <Menu.Target>
          <button type="button" className={classes.entry} aria-label={group.label} data-here={here || undefined}>
            <group.icon size={16} strokeWidth={1.75} />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          {group.children.map((place) => (
            <Menu.Item key={place.to} component={Link} to={place.to}>
              {place.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    );
  }
  return (
    <>
      <button type="button" className={classes.entry} aria-expanded={open} onClick={() => setOpen(!open)}>
        <group.icon size={16} strokeWidth={1.75} />
        <span className={classes.label}>{group.label}</span>
        <TbChevronDown className={classes.chevron} size={14} strokeWidth={1.75} aria-hidden />
      </button>
      {open
        ? group.children.map((place) => <Entry key={place.to} place={place} icons={false} inGroup onOpen={onOpen} />)
        : null}
    </>
  );
}
