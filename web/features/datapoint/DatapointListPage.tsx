import { Page, PageTitle } from '../../ui/Page.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';

export function DatapointListPage() {
  useHeaderTitle('Data Points');
  return (
    <Page fill>
      <PageTitle>Data Points</PageTitle>
    </Page>
  );
}
