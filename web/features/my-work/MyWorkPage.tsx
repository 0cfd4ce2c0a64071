import { VisuallyHidden } from '@mantine/core';
import { Page } from '../../ui/Page.tsx';
import { PlantPeopleOnly } from '../auth/PlantPeopleOnly.tsx';
import { DashboardTabs } from '../dashboard/DashboardTabs.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';
import { MyChannels } from './MyChannels.tsx';
import { MyMessages } from './MyMessages.tsx';
import classes from './MyWork.module.css';
import { WaitingAlarms } from './WaitingAlarms.tsx';

/** What waits for the person who is signed in, and what they were sent. */
export function MyWorkPage() {
  useHeaderTitle('My work');
  return (
    <Page>
      <PlantPeopleOnly title="My work">
        <VisuallyHidden component="h1">My work</VisuallyHidden>
        <DashboardTabs />
        <div className={classes.parts}>
          <WaitingAlarms />
          <MyChannels />
          <MyMessages />
        </div>
      </PlantPeopleOnly>
    </Page>
  );
}
