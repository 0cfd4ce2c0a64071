import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import classes from '../RuleEditor.module.css';
import { alertOfRuleQuery } from './rule-alert.queries.ts';

interface RecipientsAfterRenameProps {
  /**
   * Uuids of the sites at which the name is used. For a rule, this is its own site. For a digital alarm, it is every
   * site with a data point of the channel.
   */
  sites: readonly (string | undefined)[];
  /** Stored name; empty for a new record. */
  stored: string;
  name: string;
}

/** Explains below the name field who will be notified after the rule is renamed. */
export function RecipientsAfterRename({ sites, stored, name }: RecipientsAfterRenameProps) {
  const typed = name.trim();
  const [wanted] = useDebouncedValue(typed, 200);
  const changed = stored !== '' && wanted !== '' && wanted !== stored;
  const joined = useQueries({ queries: sites.map((site) => alertOfRuleQuery(site, stored)) });
  const others = useQueries({ queries: sites.map((site) => alertOfRuleQuery(changed ? site : undefined, wanted)) });
  if (!changed || typed !== wanted) return null;
  const places = joined.flatMap(({ data }, place) => (data ? [{ alert: data, other: others[place]?.data }] : []));
  if (places.length === 0 || places.some(({ other }) => other === undefined)) return null;
  if (places.some(({ other }) => other)) {
    return (
      <p className={classes.warning} role="status">
        A rule alert for “{wanted}” already exists. The people of that rule alert will be notified instead of the people
        of “{stored}”.
      </p>
    );
  }
  if (places.some(({ alert }) => (alert.ruleCount ?? 0) > 1)) {
    return (
      <p className={classes.warning} role="status">
        Another rule of the site is also called “{stored}” and keeps the rule alert. After renaming, nobody is notified
        of this rule’s alarms until you add a rule alert.
      </p>
    );
  }
  return (
    <p className={classes.hint} role="status">
      The rule alert “{stored}” is renamed with the rule, so the same people are notified.
    </p>
  );
}
