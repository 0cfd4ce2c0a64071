import { Link } from '@tanstack/react-router';
import { can } from '../../../domain/permission.ts';
import { useActor } from '../../kit/session/actor.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { formatAge } from '../../ui/time/format.ts';
import classes from './SiteAlarms.module.css';
import type { SitePerson } from './site-view.queries.ts';

/**
 * Lists the current recipients of the site's rule alerts, both for new alarms and for escalation. The recipients of an
 * alarm that is already open can differ; they are shown with that alarm.
 */
export function SitePeople({ people, siteUuid }: { people: readonly SitePerson[]; siteUuid: string }) {
  const mayAdd = can(useActor(), 'rule_alert.create');
  const notified = people.filter(({ isAlert, isHealth }) => isAlert || isHealth);
  const later = Map.groupBy(
    people.filter(({ isAlert, isHealth, escalateAfter }) => !isAlert && !isHealth && escalateAfter !== null),
    ({ escalateAfter }) => escalateAfter as number,
  );
  return (
    <dl className={classes.people} aria-label="Recipients">
      <div>
        <dt>Recipients of new alarms</dt>
        {notified.length === 0 ? <dd className={classes.nobody}>nobody</dd> : notified.map(person)}
        {mayAdd ? (
          <dd>
            <Link
              className={classes.add}
              to="/admin/rules"
              search={{ tab: 'alerts', record: 'new', site: siteUuid } as never}
            >
              Add recipients
            </Link>
          </dd>
        ) : null}
      </div>
      {[...later].map(([minutes, those]) => (
        <div key={minutes}>
          <dt>After {formatAge(minutes * 60_000)}</dt>
          {those.map(person)}
        </div>
      ))}
    </dl>
  );
}

function person({ userUuid, name, isAlert, isHealth }: SitePerson) {
  return (
    <dd key={userUuid}>
      <Avatar name={name ?? ''} size={20} />
      {name}
      {isHealth && !isAlert ? <small>when silent</small> : null}
    </dd>
  );
}
