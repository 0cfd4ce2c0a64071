import { Page, PageTitle } from '../../ui/Page.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';

export function SensorCommandPage() {
  useHeaderTitle('Sensor-Command');
  return (
    <Page fill>
      <PageTitle>Sensor-Command</PageTitle>
    </Page>
  );
}
