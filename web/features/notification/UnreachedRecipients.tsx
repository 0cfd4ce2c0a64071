import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { TbBellOff } from 'react-icons/tb';
import { can } from '../../../domain/permission.ts';
import { unreachedPeopleQuery } from '../../kit/choices/people-reach.queries.ts';
import { counted } from '../../kit/format/number.ts';
import { useActor } from '../../kit/session/actor.ts';
import { type UnreachedRule, unreachedRulesQuery } from './notification.queries.ts';
import classes from './UnreachedRecipients.module.css';

/**
 * Returns a map from the uuid of each person whom notifications do not reach to the reason. Undefined while loading.
 */
export function useUnreachedPeople(people: readonly string[]): ReadonlyMap<string, string> | undefined {
  return useQuery(unreachedPeopleQuery(people)).data;
}

/** Shows a warning about a person whom notifications do not reach. Shows nothing if `words` is undefined. */
export function PersonUnreached({ words }: { words: string | undefined }) {
  if (words === undefined) return null;
  return (
    <p className={classes.person} role="status">
      <TbBellOff size={14} strokeWidth={1.75} aria-hidden />
      {words}
    </p>
  );
}

interface UnreachedRulesProps {
  /** Uuid of the site; undefined until the site is known. */
  siteUuid: string | undefined;
  /** If set, only rules with this name are shown. */
  ruleName?: string;
  /** True to collapse a list of more than three rules. */
  folded?: boolean;
}

/** Lists the rules of a site whose alarms notify nobody. Shows nothing if there are none. */
export function UnreachedRules({ siteUuid, ruleName, folded = false }: UnreachedRulesProps) {
  const found = useQuery(unreachedRulesQuery(siteUuid)).data ?? [];
  const rules = ruleName === undefined ? found : found.filter((rule) => rule.ruleName === ruleName);
  if (rules.length === 0) return null;
  if (ruleName !== undefined) {
    return (
      <section className={classes.notice} aria-label="Nobody is notified">
        <TbBellOff size={16} strokeWidth={1.75} aria-hidden />
        <p>
          <b>Nobody is notified of this rule’s alarms.</b> {causeOf(rules[0] as UnreachedRule)}{' '}
          <AddRecipient rule={rules[0] as UnreachedRule} />
        </p>
      </section>
    );
  }
  const title = `${counted(rules.length, 'rule')} ${rules.length === 1 ? 'notifies' : 'notify'} nobody`;
  const list = <UnreachedList rules={rules} />;
  return (
    <section className={classes.notice} aria-label="Rules that notify nobody">
      <TbBellOff size={16} strokeWidth={1.75} aria-hidden />
      {folded && rules.length > 3 ? (
        <details>
          <summary>
            <b>{title}</b>
          </summary>
          {list}
        </details>
      ) : (
        <div>
          <b>{title}</b>
          {list}
        </div>
      )}
    </section>
  );
}

export function UnreachedList({ rules, withSite = false }: { rules: readonly UnreachedRule[]; withSite?: boolean }) {
  return (
    <ul className={classes.rules}>
      {rules.map((rule) => (
        <li key={`${rule.siteUuid} ${rule.kind} ${rule.ruleUuid} ${rule.ruleName}`}>
          {withSite ? `${rule.siteName}: ` : ''}
          {rule.ruleName}. {causeOf(rule)} <AddRecipient rule={rule} />
        </li>
      ))}
    </ul>
  );
}

function causeOf({ because }: UnreachedRule): string {
  return because === 'no-alert'
    ? 'No recipient is set.'
    : 'The recipients are disabled or deleted, or have no working method.';
}

/** Link to the rule alert, for users who may change it. */
function AddRecipient({ rule }: { rule: UnreachedRule }) {
  if (!can(useActor(), 'rule_alert.update')) return null;
  const search =
    rule.ruleAlertUuid === null
      ? { tab: 'alerts', record: 'new', site: rule.siteUuid, rule: rule.ruleName }
      : { tab: 'alerts', record: rule.ruleAlertUuid };
  return (
    <Link to="/admin/rules" search={search as never} aria-label={`Choose recipients for ${rule.ruleName}`}>
      Choose recipients
    </Link>
  );
}
