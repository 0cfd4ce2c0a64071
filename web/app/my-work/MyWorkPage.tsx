import { VisuallyHidden } from '@mantine/core';
import { DashboardTabs } from '../../features/alarm/index.ts';
import { useHeaderTitle } from '../../kit/page/header-slot.ts';
import { PlantPeopleOnly } from '../../kit/session/PlantPeopleOnly.tsx';
import { Page } from '../../ui/Page.tsx';
import { MyMessages } from './MyMessages.tsx';
import { MyMethods } from './MyMethods.tsx';
import classes from './MyWork.module.css';
import { WaitingAlarms } from './WaitingAlarms.tsx';

/**
 * Page with the alarms that need the user's attention, the user's notification methods, and the messages sent to the
 * user.
 */
export function MyWorkPage() {
  useHeaderTitle('My work');
  return (
    <Page>
      <PlantPeopleOnly title="My work">
        <VisuallyHidden component="h1">My work</VisuallyHidden>
        <DashboardTabs />
        <div className={classes.parts}>
          <WaitingAlarms />
          <MyMethods />
          <MyMessages />
        </div>
      </PlantPeopleOnly>
    </Page>
  );
}
