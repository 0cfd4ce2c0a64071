import { Page, PageTitle } from '../../ui/Page.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';

export function ReportsPage() {
  useHeaderTitle('Reports');
  return (
    <Page>
      <PageTitle>Reports</PageTitle>
    </Page>
  );
}
