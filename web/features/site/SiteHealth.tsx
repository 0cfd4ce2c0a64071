import { Link } from '@tanstack/react-router';
import { counted } from '../../kit/format/number.ts';
import { siteMark } from '../../kit/format/state-mark.ts';
import { rowsOf } from '../../kit/list/list.ts';
import { StateMark } from '../../ui/StateMark.tsx';
import { Age } from '../../ui/time/Age.tsx';
import { SignalBars } from './SignalBars.tsx';
import classes from './SiteForm.module.css';
import { hoursOf } from './site-form.ts';
import type { SiteRecord } from './site-record.queries.ts';

/** Shows the state of the site and explains what its health duration means. */
export function SiteHealth({ site, hours }: { site: SiteRecord | null; hours: string }) {
  const whole = hoursOf(hours);
  return (
    <>
      <p className={classes.quiet}>
        {whole === null
          ? 'On the Details tab, enter a whole number from 1 to 168 in “Silent after”.'
          : `If no sensor of the site sends data for ${counted(whole, 'hour')}, the site becomes silent. One alarm opens, and it resolves when the next frame arrives. The health report counts each slot of ${counted(whole, 'hour')} in which data arrived.`}
      </p>
      {site ? (
        <dl className={classes.facts}>
          <dt>State</dt>
          <dd>
            <StateMark {...siteMark(site.siteStatus, rowsOf(site.alarms))} />
          </dd>
          <dt>Last contact</dt>
          <dd>
            <Age at={site.lastUpdate} never="Never" />
          </dd>
          <dt>GSM signal</dt>
          <dd>
            <SignalBars dbm={site.gsmSignalStrength} provider={site.gsmProvider} />
          </dd>
        </dl>
      ) : null}
      {site ? (
        <Link className={classes.link} to="/reports/health">
          Health report for twelve weeks
        </Link>
      ) : null}
    </>
  );
}
