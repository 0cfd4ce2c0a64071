import { Link } from '@tanstack/react-router';
import { TbBellOff } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { deliveryProblemsQuery, problemWords } from '../../features/notification/index.ts';
import { At } from '../../kit/format/At.tsx';
import { useRemembered } from '../../kit/page/useRemembered.ts';
import { useActor } from '../../kit/session/actor.ts';
import classes from './ConnectionBanner.module.css';

/** Tells owners and managers on every page that notifications about alarms do not go out, by which method and why. */
export function DeliveryBanner() {
  const isManager = can(useActor(), 'rule_alert.update');
  const problems = useRemembered('delivery-problems', { ...deliveryProblemsQuery, enabled: isManager }) ?? [];
  return (
    <div role="status" aria-label="Notifications">
      {problems.map((problem) => (
        <p key={problem.methodType} className={classes.banner} data-failing>
          <TbBellOff size={16} strokeWidth={1.75} aria-hidden />
          <span>
            <b>{problemWords(problem)}</b> Since <At at={problem.since} />.{' '}
            <Link to="/admin/channels">
              {problem.cause === 'no-sender' ? 'Set one up under Senders' : 'See Senders'}
            </Link>
          </span>
        </p>
      ))}
    </div>
  );
}
