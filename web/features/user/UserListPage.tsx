import { Page, PageTitle } from '../../ui/Page.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';

export function UserListPage() {
  useHeaderTitle('Users');
  return (
    <Page fill>
      <PageTitle>Users</PageTitle>
    </Page>
  );
}
