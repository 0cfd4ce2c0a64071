import { Page, PageTitle } from '../../ui/Page.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';

export function AlarmDefaultMessagePage() {
  useHeaderTitle('Alarm Default Message');
  return (
    <Page fill>
      <PageTitle>Alarm Default Message</PageTitle>
    </Page>
  );
}
