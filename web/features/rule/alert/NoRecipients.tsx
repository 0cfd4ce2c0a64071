import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { UnreachedRules } from '../../notification/index.ts';
import classes from '../RuleEditor.module.css';
import { alertOfRuleQuery } from './rule-alert.queries.ts';
import { fromRule } from './useReturnToRule.ts';

/** Warns that the alarms of a stored rule notify nobody. */
export function NoRecipients({ siteUuid, name }: { siteUuid: string | undefined; name: string }) {
  const alert = useQuery(alertOfRuleQuery(siteUuid, name)).data;
  // The rule has a rule alert, but notifications may reach none of its recipients.
  if (alert !== null) return <UnreachedRules siteUuid={siteUuid} ruleName={name} />;
  return (
    <p className={classes.warning} role="status">
      Nobody is notified yet. Add a rule alert to choose who is notified.{' '}
      <Link
        to="/admin/rules"
        search={{ tab: 'alerts', record: 'new', site: siteUuid, rule: name } as never}
        state={fromRule}
      >
        Add people
      </Link>
    </p>
  );
}
