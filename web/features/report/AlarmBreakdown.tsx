import { Link } from '@tanstack/react-router';
import { formatSeconds } from '../../../domain/age.ts';
import { EmptyState } from '../../ui/Notice.tsx';
import { Card } from '../../ui/Page.tsx';
import type { fetchAlarmBreakdown, RuleOffender, SiteOffender } from './alarm-report.queries.ts';
import { Failed } from './Failed.tsx';
import { FigureTable } from './FigureTable.tsx';
import { Pareto } from './Pareto.tsx';
import classes from './Report.module.css';
import type { ReportView } from './useReportView.ts';

interface AlarmBreakdownProps {
  report: ReportView;
  data: Awaited<ReturnType<typeof fetchAlarmBreakdown>> | undefined;
  /** Why it did not come, or null. */
  error: unknown;
}

/** Why there were alarms, and where and by which rules most of them. */
export function AlarmBreakdown({ report, data, error }: AlarmBreakdownProps) {
  const { range, from, to, office } = report.view.filters;
  if (error && !data) {
    return (
      <Card>
        <Failed what="Reasons and sites" error={error} />
      </Card>
    );
  }
  return (
    <>
      <Card title="Reasons, most frequent first">
        {data?.reasons.length === 0 ? (
          <EmptyState title="No reason was given">There was no alarm in these days.</EmptyState>
        ) : (
          <Pareto rows={data?.reasons} />
        )}
      </Card>
      {data?.sites.length === 0 ? null : (
        <div className={classes.pair}>
          <Card title="Sites with the most alarms">
            <FigureTable<SiteOffender>
              label="Sites with the most alarms"
              rowName="Site"
              rows={data?.sites}
              keyOf={(row) => row.uuid ?? 'none'}
              nameOf={(row) =>
                row.uuid ? (
                  <Link to="/reports/alarms" search={{ range, from, to, office, site: row.uuid }}>
                    {row.siteName}
                  </Link>
                ) : (
                  row.siteName
                )
              }
              columns={[
                { header: 'Alarms', value: (row) => row.alarms ?? 0, strong: true },
                { header: 'Open', value: (row) => row.stillOpen ?? 0 },
                { header: 'Mean', value: (row) => formatSeconds(row.meanSeconds) },
                { header: 'Longest', value: (row) => formatSeconds(row.longestSeconds) },
              ]}
            />
          </Card>
          <Card title="Rules with the most alarms">
            <FigureTable<RuleOffender>
              label="Rules with the most alarms"
              rowName="Rule"
              rows={data?.rules}
              keyOf={(row) => row.uuid ?? ''}
              nameOf={(row) => row.ruleName}
              columns={[
                { header: 'Site', value: (row) => row.siteName, text: true },
                { header: 'Alarms', value: (row) => row.alarms ?? 0, strong: true },
              ]}
            />
          </Card>
        </div>
      )}
    </>
  );
}
