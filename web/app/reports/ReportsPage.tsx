import { StartPageOffer } from '../../features/profile/index.ts';
import { ReportOverview } from '../../features/report/index.ts';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { PlantPeopleOnly } from '../../kit/session/PlantPeopleOnly.tsx';
import { Page, PageTitle } from '../../ui/Page.tsx';
import { FirstSteps } from '../first-steps/FirstSteps.tsx';

/** The page after sign-in: first steps while the setup is incomplete, then the reports. */
export function ReportsPage() {
  useHeaderTitle('Reports');
  return (
    <Page>
      <PlantPeopleOnly title="Reports">
        <PageTitle>Reports</PageTitle>
        <StartPageOffer />
        <FirstSteps />
        <ReportOverview />
      </PlantPeopleOnly>
    </Page>
  );
}
