import { Link, useLocation } from '@tanstack/react-router';
import { TbServerOff } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { At } from '../../kit/format/At.tsx';
import { useRemembered } from '../../kit/page/useRemembered.ts';
import { useActor } from '../../kit/session/actor.ts';
import classes from './ConnectionBanner.module.css';
import { openSystemAlarmsQuery } from './system-alarms.queries.ts';

/** Shows owners on every page what is wrong with the installation. */
export function SystemAlarmBanner() {
  const isOwner = can(useActor(), 'system.read');
  const onSystemPage = useLocation({ select: ({ pathname }) => pathname === '/admin/system' });
  const alarms = useRemembered('system-alarms', { ...openSystemAlarmsQuery, enabled: isOwner }) ?? [];
  // The banner is hidden on the System page, which lists the system alarms itself.
  if (!isOwner || onSystemPage) return null;
  return (
    <div role="status" aria-label="System alarms">
      {alarms.map(({ uuid, sentence, openedOn }) => (
        <p key={uuid} className={classes.banner} data-failing>
          <TbServerOff size={16} strokeWidth={1.75} aria-hidden />
          <span>
            <b>{sentence}</b> Since <At at={openedOn} />. <Link to="/admin/system">Open System</Link>
          </span>
        </p>
      ))}
    </div>
  );
}
