import { Page, PageTitle } from '../../ui/Page.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';

export function AuditListPage() {
  useHeaderTitle('Audit Trail');
  return (
    <Page fill>
      <PageTitle>Audit Trail</PageTitle>
    </Page>
  );
}
