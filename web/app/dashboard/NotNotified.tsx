import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TbBellOff } from 'react-icons/tb';
import { plural } from '../../../domain/plural.ts';
import { notificationSummaryQuery, UnreachedList, unreachedRulesQuery } from '../../features/notification/index.ts';
import { useRemembered } from '../../kit/page/useRemembered.ts';
import classes from './NotNotified.module.css';

/** Shows how many open alarms reached nobody and how many rules notify nobody. Hidden while both counts are 0. */
export function NotNotified() {
  const { alarms, rules } = useRemembered('not-notified', notificationSummaryQuery) ?? { alarms: 0, rules: 0 };
  if (alarms + rules === 0) return null;
  return (
    <section className={classes.figures} aria-label="Not notified">
      <TbBellOff size={20} strokeWidth={1.75} aria-hidden />
      {alarms > 0 ? (
        <p>
          <b>{alarms.toLocaleString()}</b> open {plural(alarms, 'alarm', 'alarms')} without a notification.{' '}
          <Link to="/dashboard/alarms">Show alarms</Link>
        </p>
      ) : null}
      {rules > 0 ? <Rules count={rules} /> : null}
    </section>
  );
}

function Rules({ count }: { count: number }) {
  const listed = useQuery(unreachedRulesQuery(null)).data ?? [];
  const more = count - listed.length;
  return (
    <details>
      <summary>
        <b>{count.toLocaleString()}</b> {plural(count, 'rule notifies', 'rules notify')} nobody.
      </summary>
      <UnreachedList rules={listed} withSite />
      {listed.length > 0 && more > 0 ? <p>and {more.toLocaleString()} more</p> : null}
    </details>
  );
}
