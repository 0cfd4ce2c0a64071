import { Link } from '@tanstack/react-router';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { PlantPeopleOnly } from '../auth/PlantPeopleOnly.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';
import { Trend } from './Trend.tsx';
import { useTrendAddress } from './useTrendAddress.ts';

/** A trend by itself, of any values of any sites. All of it is in its address. */
export function TrendPage() {
  useHeaderTitle('Trend');
  return (
    <Page>
      <PlantPeopleOnly title="Trend">
        <Alone />
      </PlantPeopleOnly>
    </Page>
  );
}

const none: never[] = [];

function Alone() {
  const address = useTrendAddress(none);
  return (
    <>
      <PageTitle above={<Link to="/dashboard">Dashboard</Link>}>Trend</PageTitle>
      <Trend address={address} alone />
    </>
  );
}
