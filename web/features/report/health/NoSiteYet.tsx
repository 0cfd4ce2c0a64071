import { type HealthRow, isBeforeSites, sumRows, totalOf } from '../../../../domain/report/health.ts';
import { gapRange, type HealthRange } from '../../../../domain/report/health-periods.ts';
import { EmptyState } from '../../../ui/Notice.tsx';
import { Card } from '../../../ui/Page.tsx';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { useFirstSiteDate } from '../usePreviousPeriod.ts';

/** Returns true if the weeks or months ended before the first site was added, so that all rows are empty. */
export function useIsBeforeSites(
  rows: readonly HealthRow[] | undefined,
  range: HealthRange,
  office: string | undefined,
): boolean {
  const since = useFirstSiteDate({ office, site: undefined }).data;
  const end = gapRange(range, useTimeZone()).to;
  return (
    rows !== undefined && since !== undefined && totalOf(sumRows(rows)).expected === 0 && isBeforeSites(since, end)
  );
}

export function NoSiteYet() {
  return (
    <Card>
      <EmptyState title="No site existed yet">Reports cover a site from the day it is added.</EmptyState>
    </Card>
  );
}
