import { Link } from '@tanstack/react-router';
import { TbBellOff, TbInbox } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { deliveryNotices, deliveryProblemsQuery } from '../../features/notification/index.ts';
import { At } from '../../kit/format/At.tsx';
import { useRemembered } from '../../kit/page/useRemembered.ts';
import { useActor } from '../../kit/session/actor.ts';
import { publicConfig } from '../../kit/session/public-config.ts';
import { useStore } from '../../ui/store.ts';
import classes from './ConnectionBanner.module.css';

/** Shows owners and managers on every page which methods fail to deliver alarm notifications, and why. */
export function DeliveryBanner() {
  const actor = useActor();
  const isManager = can(actor, 'rule_alert.update');
  const isDemo = useStore(publicConfig)?.demo === true;
  const problems = useRemembered('delivery-problems', { ...deliveryProblemsQuery, enabled: isManager }) ?? [];
  return (
    <div role="status" aria-label="Notifications">
      {deliveryNotices(problems, isDemo, can(actor, 'outbox.read')).map(({ words, isLoud, since, link }) => {
        const Icon = isLoud ? TbBellOff : TbInbox;
        return (
          <p key={words} className={classes.banner} data-failing={isLoud || undefined} data-calm={!isLoud || undefined}>
            <Icon size={16} strokeWidth={1.75} aria-hidden />
            <span>
              <b>{words}</b>{' '}
              {isLoud ? (
                <>
                  Since <At at={since} />.{' '}
                </>
              ) : null}
              {link === null ? null : <Link to="/admin/channels">{link}</Link>}
            </span>
          </p>
        );
      })}
    </div>
  );
}
