import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { PlantPeopleOnly } from '../../kit/session/PlantPeopleOnly.tsx';
import breadcrumbs from '../../ui/Breadcrumbs.module.css';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { Trend } from './Trend.tsx';
import { trendPointsQuery } from './trend.queries.ts';
import { useTrendAddress } from './useTrendAddress.ts';

/** Page with a trend of any data points from any sites. The URL contains the whole state of the page. */
export function TrendPage() {
  return (
    <Page>
      <PlantPeopleOnly title="Trend">
        <TrendContent />
      </PlantPeopleOnly>
    </Page>
  );
}

const none: never[] = [];
const MOST_NAMED = 3;

function TrendContent() {
  const address = useTrendAddress(none);
  const { data: points = none } = useQuery(trendPointsQuery(address.points));
  const sites = new Map(points.flatMap(({ asset }) => (asset?.site ? [[asset.site.uuid, asset.site.name]] : [])));
  const named = [...sites].slice(0, MOST_NAMED);
  const [only] = sites.size === 1 ? sites.values() : [];
  useHeaderTitle('Trend', only ? `Trend, ${only}` : 'Trend');
  return (
    <>
      <PageTitle
        above={
          <nav className={breadcrumbs.links} aria-label="Breadcrumbs">
            <Link to="/dashboard">Dashboard</Link>
            {named.map(([uuid, name]) => (
              <Link key={uuid} to="/dashboard/site/$uuid" params={{ uuid }}>
                {name}
              </Link>
            ))}
          </nav>
        }
      >
        Trend
      </PageTitle>
      <Trend address={address} isOwnPage />
    </>
  );
}
