import { Link } from '@tanstack/react-router';
import { TbKeyboard, TbLogout, TbPencil, TbUserCog } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { SoundSwitch } from '../../features/alarm/index.ts';
import { isProfileOpen } from '../../features/profile/index.ts';
import { PushChoice, unsubscribeDevice } from '../../features/push/index.ts';
import type { Place } from '../../kit/page/navigation.ts';
import { useActor } from '../../kit/session/actor.ts';
import { signOut, useUser } from '../../kit/session/session.ts';
import { ThemeChoice } from './ThemeChoice.tsx';
import classes from './UserPanel.module.css';

interface UserPanelProps {
  /** The user's own pages and, on a phone, the pages that have no tab. */
  places?: readonly Place[];
  /** Called after the user has chosen an entry, so that the parent can close the panel. */
  onChoose: () => void;
  /** Called to show the page's keyboard shortcuts; omitted on devices without a keyboard. */
  onKeys?: () => void;
}

/** Panel with the user's name, theme, own pages, notification settings, password and sign-out. */
export function UserPanel({ places = [], onChoose, onKeys }: UserPanelProps) {
  const user = useUser();
  const mayReadAlarms = can(useActor(), 'alarm.read');
  return (
    <div className={classes.panel}>
      <div className={classes.who}>
        <div className={classes.name}>{user.display_name}</div>
        <div className={classes.email}>{user.email}</div>
      </div>
      <div className={classes.theme}>
        <ThemeChoice />
      </div>
      {places.map((place) => (
        <Link key={place.to} className={classes.item} to={place.to} onClick={onChoose}>
          <place.icon size={16} strokeWidth={1.75} />
          {place.label}
        </Link>
      ))}
      <PushChoice className={classes.item} />
      {mayReadAlarms ? <SoundSwitch className={classes.item} /> : null}
      {onKeys ? (
        <button
          type="button"
          className={classes.item}
          onClick={() => {
            onChoose();
            onKeys();
          }}
        >
          <TbKeyboard size={16} strokeWidth={1.75} aria-hidden />
          Keyboard shortcuts
        </button>
      ) : null}
      <button
        type="button"
        className={classes.item}
        onClick={() => {
          onChoose();
          isProfileOpen.set(true);
        }}
      >
        <TbUserCog size={16} strokeWidth={1.75} aria-hidden />
        Your profile
      </button>
      <Link className={classes.item} to="/auth/change-password" onClick={onChoose}>
        <TbPencil size={16} strokeWidth={1.75} aria-hidden />
        Change Password
      </Link>
      <button
        type="button"
        className={classes.item}
        onClick={() => {
          onChoose();
          void signOutAndUnsubscribe();
        }}
      >
        <TbLogout size={16} strokeWidth={1.75} aria-hidden />
        Logout
      </button>
    </div>
  );
}

/** Signs out. First unsubscribes this browser from push, so that other people do not see the user's alarms on it. */
async function signOutAndUnsubscribe(): Promise<void> {
  await unsubscribeDevice().catch(() => undefined);
  await signOut();
}
