import { Popover, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { isKeyListOpen } from '../../kit/page/key-list.ts';
import { ownPlacesFor } from '../../kit/page/navigation.ts';
import { useActor } from '../../kit/session/actor.ts';
import { useUser } from '../../kit/session/session.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { useOverlay } from '../../ui/useOverlay.ts';
import classes from './Header.module.css';
import { UserPanel } from './UserPanel.tsx';

/**
 * The user's button in the header and its popover. The popover is a dialog and not a menu, because it contains the
 * theme switch.
 */
export function UserMenu() {
  const user = useUser();
  const places = ownPlacesFor(useActor());
  const [open, setOpen] = useState(false);
  const hasPanel = useOverlay(open);
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={240} offset={6} trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className={classes.userButton} onClick={() => setOpen(!open)}>
          <Avatar name={user.display_name} />
          <VisuallyHidden>User menu, {user.display_name}</VisuallyHidden>
        </button>
      </Popover.Target>
      {hasPanel ? (
        <Popover.Dropdown className={classes.userPanel}>
          <UserPanel places={places} onChoose={() => setOpen(false)} onKeys={() => isKeyListOpen.set(true)} />
        </Popover.Dropdown>
      ) : null}
    </Popover>
  );
}
