import { Page, PageTitle } from '../../ui/Page.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';

export function GroupListPage() {
  useHeaderTitle('Groups');
  return (
    <Page fill>
      <PageTitle>Groups</PageTitle>
    </Page>
  );
}
