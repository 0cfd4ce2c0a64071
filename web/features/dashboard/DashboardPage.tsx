import { Page, PageTitle } from '../../ui/Page.tsx';
import { useUser } from '../auth/session.ts';
import { useHeaderTitle } from '../shell/header-middle.ts';

export function DashboardPage() {
  useHeaderTitle(useUser().tocsin_customer.name);
  return (
    <Page>
      <PageTitle>Dashboard</PageTitle>
    </Page>
  );
}
