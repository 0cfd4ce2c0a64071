import { IconMessage2 } from '@tabler/icons-react';
import { messageOf } from '../../api/http.ts';
import { EmptyState, ErrorState } from '../../ui/Notice.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { PlantPeopleOnly } from '../alarm/PlantPeopleOnly.tsx';
import { useHeaderTitle } from '../shell/header-middle.ts';
import classes from './Report.module.css';
import { ReportTitle } from './ReportTitle.tsx';
import { formatDates } from './ranges.ts';
import type { SmsRow } from './report.queries.ts';
import table from './SmsReportPage.module.css';
import { useSms } from './useReports.ts';

type Field = 'alarm' | 'health' | 'resolve' | 'other' | 'messages' | 'parts';

const fields: readonly { field: Field; label: string }[] = [
  { field: 'alarm', label: 'Alarm' },
  { field: 'health', label: 'Health' },
  { field: 'resolve', label: 'Resolve' },
  { field: 'other', label: 'Other' },
  { field: 'messages', label: 'Messages' },
  { field: 'parts', label: 'Billed parts' },
];

export function SmsReportPage() {
  useHeaderTitle('Reports', 'SMS report');
  return (
    <Page>
      <PlantPeopleOnly title="SMS">
        <SmsReport />
      </PlantPeopleOnly>
    </Page>
  );
}

function SmsReport() {
  const { range, query } = useSms();
  const timeZone = useTimeZone();
  return (
    <>
      <ReportTitle name="SMS">SMS by unit office</ReportTitle>
      <div className={classes.tools}>
        <span className={classes.range}>{formatDates(range.from, range.to, timeZone)}, sent or delivered</span>
      </div>
      <Card>
        {query.isError && !query.data ? (
          <ErrorState title="The SMS report could not be loaded" onRetry={() => void query.refetch()}>
            {messageOf(query.error)}
          </ErrorState>
        ) : query.data?.length === 0 ? (
          <EmptyState icon={IconMessage2} title="No unit office has a site of yours">
            A unit office is a group of level 5. A manager gives each site one.
          </EmptyState>
        ) : (
          <SmsTable rows={query.data} />
        )}
      </Card>
    </>
  );
}

function SmsTable({ rows }: { rows: readonly SmsRow[] | undefined }) {
  const most = rows?.toSorted((a, b) => b.messages - a.messages || a.name.localeCompare(b.name));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls sideways, which keys must be able to do too.
    <section className={table.scroll} tabIndex={0} aria-label="SMS by unit office">
      <table className={table.table} aria-label="SMS by unit office" aria-busy={rows === undefined}>
        <thead>
          <tr>
            <th scope="col">Unit office</th>
            {fields.map(({ field, label }) => (
              <th key={field} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        {most === undefined ? (
          <tbody aria-hidden>
            {['62%', '48%', '71%', '55%', '66%', '44%'].map((width) => (
              <tr key={width}>
                <th>
                  <Skeleton width={width} />
                </th>
                {fields.map(({ field }) => (
                  <td key={field}>
                    <Skeleton width={32} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ) : (
          <>
            <tbody>
              {most.map((row) => (
                <tr key={row.id}>
                  <th scope="row">{row.name}</th>
                  {fields.map(({ field }) => (
                    <td key={field} data-field={field} data-none={row[field] === 0 || undefined}>
                      {row[field].toLocaleString()}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">All unit offices</th>
                {fields.map(({ field }) => (
                  <td key={field}>{most.reduce((sum, row) => sum + row[field], 0).toLocaleString()}</td>
                ))}
              </tr>
            </tfoot>
          </>
        )}
      </table>
    </section>
  );
}
