import { Link, useNavigate } from '@tanstack/react-router';
import { sortRows } from '../../../../domain/order.ts';
import { type HealthPeriod, healthOrders, worstFirst } from '../../../../domain/report/health.ts';
import { officeWords } from '../../../kit/session/group-words.ts';
import { useFirstAnswer } from '../../../ui/first-answer.ts';
import { EmptyState } from '../../../ui/Notice.tsx';
import { Card } from '../../../ui/Page.tsx';
import { LoadFailed } from '../LoadFailed.tsx';
import type { TableOrder } from '../SortHeading.tsx';
import { useHealthByOffice } from '../useReports.ts';
import { HeatTable } from './HeatTable.tsx';
import { NoSiteYet, useIsBeforeSites } from './NoSiteYet.tsx';

interface HealthByOfficeProps {
  until?: string | undefined;
  each?: HealthPeriod | undefined;
  order: TableOrder;
}

/** Heat table of the unit offices. Each name is a link to the sites of that office. */
export function HealthByOffice({ until, each, order }: HealthByOfficeProps) {
  const { range, query } = useHealthByOffice(until, each);
  const offices = useFirstAnswer(query.data);
  const navigate = useNavigate();
  const isBefore = useIsBeforeSites(query.data, range, undefined);
  const sitesOf = (office: string) => ({ to: '/reports/health', search: { by: 'site', office, until, each } }) as const;
  if (query.isError && !query.data) {
    return (
      <Card>
        <LoadFailed what="The health report" error={query.error} />
      </Card>
    );
  }
  if (offices?.length === 0) {
    return (
      <Card>
        <EmptyState title={`No ${officeWords().one} has a site you can see`}>
          {officeWords().title} is the level 5 group of a site. A manager assigns it to each site in the admin area.
        </EmptyState>
      </Card>
    );
  }
  if (isBefore) return <NoSiteYet />;
  return (
    <HeatTable
      label={`Health by ${officeWords().one}`}
      rowName={officeWords().title}
      rows={offices && sortRows(worstFirst(offices), order.sort, healthOrders)}
      order={order}
      all={offices}
      range={range}
      second="sites"
      past={until !== undefined}
      nameOf={(row) => (row.id === '' ? row.name : <Link {...sitesOf(row.id)}>{row.name}</Link>)}
      onOpen={(row) => (row.id === '' ? undefined : void navigate(sitesOf(row.id)))}
    />
  );
}
