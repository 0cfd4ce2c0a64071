import { Page, PageTitle } from '../../ui/Page.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';

export function SensorLogPage() {
  useHeaderTitle('Sensor-log');
  return (
    <Page fill>
      <PageTitle>Sensor-log</PageTitle>
    </Page>
  );
}
