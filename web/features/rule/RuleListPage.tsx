import { Page, PageTitle } from '../../ui/Page.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';

export function RuleListPage() {
  useHeaderTitle('Rules & Alerts');
  return (
    <Page fill>
      <PageTitle>Rules &amp; Alerts</PageTitle>
    </Page>
  );
}
