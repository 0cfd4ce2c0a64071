import { Page, PageTitle } from '../../ui/Page.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';

export function AssetListPage() {
  useHeaderTitle('Assets');
  return (
    <Page fill>
      <PageTitle>Assets</PageTitle>
    </Page>
  );
}
