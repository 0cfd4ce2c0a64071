import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { can } from '../../../domain/permission.ts';
import { NoPermission } from '../../ui/Notice.tsx';
import { Card, PageTitle } from '../../ui/Page.tsx';
import { useActor } from './actor.ts';
import { useUser } from './session.ts';

interface PlantPeopleOnlyProps {
  /** Title of the page. */
  title: string;
  children: ReactNode;
}

/**
 * Shows its content only to the customer's own users. A partner account sees an explanation instead, because it has no
 * access to alarms, readings and reports.
 */
export function PlantPeopleOnly({ title, children }: PlantPeopleOnlyProps) {
  const actor = useActor();
  const { name } = useUser().tocsin_customer;
  if (can(actor, 'alarm.read')) {
    return children;
  }
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <Card>
        <NoPermission
          title="Partner accounts cannot view alarms and reports"
          action={
            can(actor, 'admin.enter') ? (
              <Button component={Link} to="/admin/sites" variant="default" size="xs">
                Go to sites
              </Button>
            ) : null
          }
        >
          This account manages the sites and sensors of {name}. Ask an owner or a manager there for a personal account.
        </NoPermission>
      </Card>
    </>
  );
}
