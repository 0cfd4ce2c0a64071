import { useQueries } from '@tanstack/react-query';
import classes from './RuleEditor.module.css';
import { alertOfRuleQuery } from './rule-alert.queries.ts';

interface LeavesPeopleProps {
  /** Where it is judged: a rule at one site, and a channel wherever a data point shows it. */
  sites: readonly (string | undefined)[];
  /** The name under which it is stored; empty for one that is being made. */
  stored: string;
  name: string;
}

/** Said below the name of what raises alarms while it is another than the one that people are joined to. */
export function LeavesPeople({ sites, stored, name }: LeavesPeopleProps) {
  const alerts = useQueries({ queries: sites.map((site) => alertOfRuleQuery(site, stored)) });
  if (name.trim() === stored || !alerts.some(({ data }) => data)) return null;
  return (
    <p className={classes.warning} role="status">
      People are joined to “{stored}”. Under another name nobody is told until a rule alert has that name.
    </p>
  );
}
