import { Page, PageTitle } from '../../ui/Page.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';

export function SensorListPage() {
  useHeaderTitle('Sensor List');
  return (
    <Page fill>
      <PageTitle>Sensor List</PageTitle>
    </Page>
  );
}
