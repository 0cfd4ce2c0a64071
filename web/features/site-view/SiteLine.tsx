import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { At } from '../../kit/format/At.tsx';
import { counted } from '../../kit/format/number.ts';
import { SignalBars } from '../../kit/format/SignalBars.tsx';
import { Age } from '../../ui/time/Age.tsx';
import classes from './SiteLine.module.css';
import { healthWords } from './site-status.ts';
import type { SiteFacts } from './site-view.queries.ts';

interface SiteLineProps {
  site: SiteFacts;
  lastUpdate: Date | null;
  silent: boolean;
}

/** Key facts of the site in one line, such as its health and last contact. */
export function SiteLine({ site, lastUpdate, silent }: SiteLineProps) {
  const health = healthWords(site.weekHealth, site.tocsinHealthDurationHours);
  return (
    <dl className={classes.line}>
      <Fact name="Health, 7 days">
        <Link to="/reports/health" search={{ q: site.name }} data-missing={health.missing || undefined}>
          {health.words}
        </Link>
      </Fact>
      <Fact name="GSM">
        <span className={classes.signal}>
          <SignalBars dbm={site.gsmSignalStrength} />
          {site.gsmProvider ? <span>{site.gsmProvider}</span> : null}
        </span>
      </Fact>
      <Fact name="Last contact">
        <Age at={lastUpdate} never="never" />
        {silent && lastUpdate ? (
          <>
            , silent since <At at={lastUpdate.toISOString()} />
          </>
        ) : null}
      </Fact>
      <Fact name="Silent after">{counted(site.tocsinHealthDurationHours, 'hour')}</Fact>
      <Fact name="Site ID">{site.siteId}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
