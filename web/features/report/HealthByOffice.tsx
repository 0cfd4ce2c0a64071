import { Link, useNavigate } from '@tanstack/react-router';
import { worstFirst } from '../../../domain/report/health.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Card } from '../../ui/Page.tsx';
import { Failed } from './Failed.tsx';
import { HeatTable } from './HeatTable.tsx';
import { useHealthByOffice } from './useReports.ts';

/** The heat table of the unit offices, with a way from each to its sites. */
export function HealthByOffice({ until }: { until?: string | undefined }) {
  const { range, query } = useHealthByOffice(until);
  const navigate = useNavigate();
  const sitesOf = (office: string) => ({ to: '/reports/health', search: { by: 'site', office, until } }) as const;
  if (query.isError && !query.data) {
    return (
      <Card>
        <Failed what="The health report" error={query.error} />
      </Card>
    );
  }
  if (query.data?.length === 0) {
    return (
      <Card>
        <EmptyState title="No unit office has a site of yours">
          A unit office is a group of sites, of level 5. Each site’s page in the admin area says which one it belongs
          to.
        </EmptyState>
      </Card>
    );
  }
  return (
    <HeatTable
      label="Health by unit office"
      rowName="Unit office"
      rows={query.data && worstFirst(query.data)}
      all={query.data}
      range={range}
      second="sites"
      past={until !== undefined}
      nameOf={(row) => (row.id === '' ? row.name : <Link {...sitesOf(row.id)}>{row.name}</Link>)}
      onOpen={(row) => (row.id === '' ? undefined : void navigate(sitesOf(row.id)))}
    />
  );
}
