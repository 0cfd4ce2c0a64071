import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { WARNING_PERCENT } from '../../../../domain/notification/sms-budget.ts';
import { can } from '../../../../domain/permission.ts';
import { useActor } from '../../../kit/session/actor.ts';
import { Card } from '../../../ui/Page.tsx';
import { LoadFailed } from '../LoadFailed.tsx';
import { fetchSmsBudgets, type SmsBudgetRow } from '../sms-report.queries.ts';
import classes from './SmsBudgets.module.css';

/**
 * Shows the SMS budgets of the company and its unit offices: the used and the remaining segments of today and of this
 * month.
 */
export function SmsBudgets() {
  const actor = useActor();
  const budgets = useQuery({
    queryKey: ['report', 'sms', 'budgets'],
    queryFn: ({ signal }) => fetchSmsBudgets(signal),
    staleTime: 30_000,
  });
  if (budgets.isError) {
    return (
      <Card title="SMS budget">
        <LoadFailed what="The SMS budget" error={budgets.error} />
      </Card>
    );
  }
  if (!budgets.data) return null;
  if (budgets.data.length === 0) {
    return can(actor, 'customer.update') ? (
      <p className={classes.none}>
        No SMS budget is set. <Link to="/admin/company">Set an SMS budget</Link>
      </p>
    ) : null;
  }
  return (
    <Card title="SMS budget">
      <ul className={classes.accounts} aria-label="SMS budget">
        {budgets.data.map((account) => (
          <li key={account.id} className={classes.account}>
            <span className={classes.name}>{account.name}</span>
            <Period title="Today" budget={account.day} />
            <Period title="This month" budget={account.month} />
          </li>
        ))}
      </ul>
      <p className={classes.hint}>
        In billed segments, with queued SMS. The mark is at {WARNING_PERCENT}&nbsp;%, when the owners are warned. When a
        budget is used up, minor and silent alarms are sent by the recipients’ other methods.
      </p>
    </Card>
  );
}

function Period({ title, budget }: { title: string; budget: SmsBudgetRow['day'] }) {
  const { limit, used, suppressed } = budget;
  if (limit === null) {
    return (
      <div className={classes.period} data-period={title}>
        <span>{title}</span>
        <b>{used.toLocaleString()} used</b>
        <span className={classes.left}>no limit</span>
      </div>
    );
  }
  const share = (used * 100) / limit;
  const left = Math.max(0, limit - used);
  const isWarned = share >= WARNING_PERCENT;
  return (
    <div className={classes.period} data-period={title}>
      <span>{title}</span>
      <b>
        {used.toLocaleString()} of {limit.toLocaleString()} used
      </b>
      <span className={classes.left}>
        {left.toLocaleString()} left{isWarned ? `, ${Math.floor(share)} % used` : ''}
      </span>
      <span className={classes.meter} data-warned={isWarned || undefined} aria-hidden="true">
        <span className={classes.fill} style={{ width: `${Math.min(100, share)}%` }} />
        <span className={classes.mark} style={{ left: `${WARNING_PERCENT}%` }} />
      </span>
      {suppressed > 0 ? (
        <span className={classes.suppressed}>{suppressed.toLocaleString()} SMS not sent because of the budget</span>
      ) : null}
    </div>
  );
}
