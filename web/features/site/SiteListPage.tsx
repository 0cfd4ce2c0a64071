import { Page, PageTitle } from '../../ui/Page.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';

export function SiteListPage() {
  useHeaderTitle('Sites');
  return (
    <Page fill>
      <PageTitle>Sites</PageTitle>
    </Page>
  );
}
