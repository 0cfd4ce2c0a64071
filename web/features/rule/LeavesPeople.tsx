import { useQuery } from '@tanstack/react-query';
import classes from './RuleEditor.module.css';
import { alertOfRuleQuery } from './rule-alert.queries.ts';

interface LeavesPeopleProps {
  siteUuid: string | undefined;
  /** The name under which it is stored; empty for one that is being made. */
  stored: string;
  name: string;
}

/** Said below the name of a rule while it is another than the one that people are joined to. */
export function LeavesPeople({ siteUuid, stored, name }: LeavesPeopleProps) {
  const alert = useQuery(alertOfRuleQuery(siteUuid, stored)).data ?? null;
  if (alert === null || name.trim() === stored) return null;
  return (
    <p className={classes.warning} role="status">
      People are joined to “{stored}”. Under another name nobody is told until a rule alert has that name.
    </p>
  );
}
