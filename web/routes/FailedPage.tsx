import { Button } from '@mantine/core';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { can, type Permission } from '../../domain/permission.ts';
import { lostSince } from '../api/connection.ts';
import { useHeaderTitle } from '../kit/page/header-slot.ts';
import { useActor } from '../kit/session/actor.ts';
import { ErrorState, NoPermission } from '../ui/Notice.tsx';
import { Card, Page, PageTitle } from '../ui/Page.tsx';
import { useStore } from '../ui/store.ts';
import { NotAllowed } from './guards.ts';

/** Shown for a page that is not allowed, could not be loaded, or failed to render. */
export function FailedPage({ error }: ErrorComponentProps) {
  return error instanceof NotAllowed ? <Refused permission={error.permission} /> : <Broken />;
}

const sentences: Partial<Record<Permission, { title: string; help: string }>> = {
  'admin.enter': {
    title: 'Only owners and managers can open the admin area',
    help: 'Ask an owner or a manager to make the change, or to change your level.',
  },
  'audit.read': {
    title: 'Only owners can view the audit trail',
    help: 'Ask an owner for the information you need.',
  },
  'customer.update': {
    title: 'Only owners can edit the company',
    help: 'Ask an owner to change the company name or time zone.',
  },
  'system.read': {
    title: 'Only owners can view the System page',
    help: 'Ask an owner about the state of the installation.',
  },
};

const otherwise = {
  title: 'You do not have access to this page',
  help: 'Ask an owner or a manager for access.',
};

function Refused({ permission }: { permission: Permission }) {
  const title = permission === 'admin.enter' ? 'Admin' : 'No permission';
  const sentence = sentences[permission] ?? otherwise;
  useHeaderTitle(title);
  return (
    <Page>
      <PageTitle>{title}</PageTitle>
      <Card>
        <NoPermission title={sentence.title} action={<WayOut />}>
          {sentence.help}
        </NoPermission>
      </Card>
    </Page>
  );
}

/** Button that opens a page to which the user has access. A partner account has no reports. */
function WayOut() {
  return can(useActor(), 'alarm.read') ? (
    <Button component={Link} to="/reports" variant="default" size="xs">
      Back to reports
    </Button>
  ) : (
    <Button component={Link} to="/admin/sites" variant="default" size="xs">
      Go to sites
    </Button>
  );
}

/**
 * Shown for a page that failed to load or render. The page reloads when the connection is back, because the code of a
 * page that was never opened is not available offline.
 */
function Broken() {
  useHeaderTitle('Error');
  const lost = useStore(lostSince);
  useEffect(
    () =>
      lostSince.subscribe((now) => {
        if (now === null) window.location.reload();
      }),
    [],
  );
  return (
    <Page>
      <PageTitle>Error</PageTitle>
      <Card>
        <ErrorState title="This page could not be loaded" onRetry={() => window.location.reload()}>
          {lost === null
            ? 'An error occurred, or a new version was installed. Try again. No saved data is lost.'
            : 'The server is not responding. This page will open once the connection is back.'}
        </ErrorState>
      </Card>
    </Page>
  );
}
