import { Link } from '@tanstack/react-router';
import { formatSeconds } from '../../../../domain/age.ts';
import { can } from '../../../../domain/permission.ts';
import { readBetween } from '../../../../domain/report/between.ts';
import { causeWords, performanceFilterNames, performanceFilters } from '../../../../domain/report/performance.ts';
import { NO_REASON, NO_REASON_WORDS, UNACKNOWLEDGED, UNACKNOWLEDGED_WORDS } from '../../../../domain/report/reason.ts';
import { type AlarmingCounts, isReordered, rulesTitle, topTitle } from '../../../../domain/report/top-rows.ts';
import { severities, severityNames } from '../../../../domain/rule/priority.ts';
import { counted } from '../../../kit/format/number.ts';
import { useActor } from '../../../kit/session/actor.ts';
import { EmptyState } from '../../../ui/Notice.tsx';
import { Card } from '../../../ui/Page.tsx';
import { FilterSelect } from '../../../ui/table/FilterSelect.tsx';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import type { fetchAlarmBreakdown, RuleOffender, SiteOffender } from '../alarm-report.queries.ts';
import { type FigureColumn, FigureTable } from '../FigureTable.tsx';
import { LoadFailed } from '../LoadFailed.tsx';
import classes from '../Report.module.css';
import { formatMoments } from '../ranges.ts';
import { orderFromAddress, type TableOrder } from '../SortHeading.tsx';
import { isNarrowed, type ReportView } from '../useReportView.ts';
import { Pareto } from './Pareto.tsx';
import { ruleEditorLink } from './rule-editor-link.ts';

type FullBreakdown = Awaited<ReturnType<typeof fetchAlarmBreakdown>>;
/** Alarm counts. `sites` or `rules` is undefined while it is being loaded in another sort order. */
type PartialBreakdown = Omit<FullBreakdown, 'sites' | 'rules'> & {
  [part in 'sites' | 'rules']: FullBreakdown[part] | undefined;
};

interface AlarmBreakdownProps {
  report: ReportView;
  data: PartialBreakdown | undefined;
  /** Total numbers of sites and rules, if the tables do not show all of them. */
  all: AlarmingCounts | undefined;
  /** Error that occurred while loading, or null. */
  error: unknown;
}

/** Tables with the numbers of alarms by reason, by site and by rule. */
export function AlarmBreakdown({ report, data, all, error }: AlarmBreakdownProps) {
  const { range, from, to, office, site, rule, reason, only, cause, severity, recipient, between } =
    report.view.filters;
  const same = { range, from, to, only, cause, severity, recipient, between, q: report.view.search || undefined };
  const [sites, rules] = ['siteOrder', 'ruleOrder'].map((name) =>
    orderFromAddress(report.view, report.setView, name),
  ) as [TableOrder, TableOrder];
  const others = {
    sites: isReordered('sites', all, sites.sort),
    rules: isReordered('rules', all, rules.sort),
  };
  const silent = data?.days.reduce((sum, day) => sum + (day.silent ?? 0), 0) ?? 0;
  const editsRules = can(useActor(), 'rule.update');
  if (error && !data) {
    return (
      <Card>
        <LoadFailed what="Reasons and sites" error={error} />
      </Card>
    );
  }
  return (
    <>
      <Card title="Reasons, most frequent first">
        {data?.reasons.length === 0 ? (
          isNarrowed(report) ? (
            <EmptyState title="No alarm matches">Change the search or clear the filters.</EmptyState>
          ) : (
            <EmptyState title="No reasons in this period">There were no alarms in this period.</EmptyState>
          )
        ) : (
          <Pareto
            rows={data?.reasons}
            nameOf={({ name, filter: asked }) =>
              asked === null ? (
                name
              ) : (
                <Link to="/reports/alarms" search={{ ...same, office, site, rule, reason: asked }}>
                  {name}
                </Link>
              )
            }
          />
        )}
      </Card>
      {data?.sites?.length === 0 ? null : (
        <div className={classes.pair}>
          <Card title={topTitle('sites', all, sites.sort)}>
            <FigureTable<SiteOffender>
              label={others.sites ? 'Sites with alarms' : 'Sites with the most alarms'}
              rowName="Site"
              rows={data?.sites}
              keyOf={(row) => row.uuid ?? 'none'}
              nameOf={(row) =>
                row.uuid ? (
                  <Link to="/reports/alarms" search={{ ...same, office, rule, reason, site: row.uuid }}>
                    {row.siteName}
                  </Link>
                ) : (
                  row.siteName
                )
              }
              nameBy={(row) => row.siteName}
              order={sites}
              isSorted={others.sites}
              columns={siteColumns}
            />
          </Card>
          <Card title={rulesTitle(all, rules.sort, silent)}>
            <FigureTable<RuleOffender>
              label={others.rules ? 'Rules with alarms' : 'Rules with the most alarms'}
              rowName="Rule"
              rows={data?.rules}
              keyOf={(row) => row.uuid ?? ''}
              nameOf={(row) => (editsRules ? <Link {...ruleEditorLink(row)}>{row.ruleName}</Link> : row.ruleName)}
              nameBy={(row) => row.ruleName}
              order={rules}
              isSorted={others.rules}
              columns={[
                {
                  header: 'Site',
                  value: (row) => row.siteName,
                  key: 'site',
                  by: (row) => row.siteName,
                  text: true,
                },
                {
                  header: 'Alarms',
                  key: 'alarms',
                  by: (row) => row.alarms,
                  value: (row) => (
                    <Link
                      to="/reports/alarms"
                      search={{ ...same, office, site, reason, rule: row.uuid ?? '' }}
                      aria-label={`${counted(row.alarms ?? 0, 'alarm')} of ${row.ruleName}, ${row.siteName}`}
                    >
                      {(row.alarms ?? 0).toLocaleString()}
                    </Link>
                  ),
                  strong: true,
                },
              ]}
            />
          </Card>
        </div>
      )}
    </>
  );
}

const siteColumns: readonly FigureColumn<SiteOffender>[] = [
  { header: 'Alarms', value: (row) => row.alarms ?? 0, key: 'alarms', by: (row) => row.alarms, strong: true },
  { header: 'Open', value: (row) => row.stillOpen ?? 0, key: 'open', by: (row) => row.stillOpen },
  { header: 'Mean', value: (row) => formatSeconds(row.meanSeconds), key: 'mean', by: (row) => row.meanSeconds },
  {
    header: 'Longest',
    value: (row) => formatSeconds(row.longestSeconds),
    key: 'longest',
    by: (row) => row.longestSeconds,
  },
];

type CauseFiltersProps = Pick<AlarmBreakdownProps, 'report' | 'data'>;

/**
 * Filters for the rule and the reason. Users can choose a reason. Links set the rule filter, and users can only remove
 * it.
 */
export function CauseFilters({ report: { view, setView }, data }: CauseFiltersProps) {
  const { rule, reason, cause, recipient, between } = view.filters;
  const range = readBetween(between);
  const timeZone = useTimeZone();
  const one = (label: string, name: string, value: string | undefined, words: string) =>
    value === undefined ? null : (
      <FilterSelect label={label} name={name} options={[{ value, label: words }]} view={view} onViewChange={setView} />
    );
  const reasons = (data?.reasons ?? []).map((row) => ({
    value: row.reason ?? NO_REASON,
    label: row.reason ?? NO_REASON_WORDS,
  }));
  if (reason === NO_REASON && !reasons.some(({ value }) => value === NO_REASON)) {
    reasons.push({ value: NO_REASON, label: NO_REASON_WORDS });
  }
  if (reason === UNACKNOWLEDGED) {
    reasons.push({ value: UNACKNOWLEDGED, label: UNACKNOWLEDGED_WORDS });
  }
  const found = data?.rules?.find(({ uuid }) => uuid === rule);
  return (
    <>
      {rule ? (
        <FilterSelect
          label="Rule"
          name="rule"
          options={[{ value: rule, label: found ? `${found.ruleName}, ${found.siteName}` : 'One rule' }]}
          view={view}
          onViewChange={setView}
        />
      ) : null}
      <FilterSelect label="Reason" name="reason" options={reasons} view={view} onViewChange={setView} />
      <FilterSelect
        label="Severity"
        name="severity"
        options={severities.map((value) => ({ value, label: severityNames[value] }))}
        view={view}
        onViewChange={setView}
      />
      <FilterSelect
        label="Figure"
        name="only"
        options={performanceFilters.map((value) => ({ value, label: performanceFilterNames[value] }))}
        view={view}
        onViewChange={(next) => setView({ ...next, filters: { ...next.filters, cause: '' } })}
      />
      {one('Cause', 'cause', cause, causeWords({ kind: view.filters.only ?? '', cause: cause ?? '' }))}
      {one('Recipient', 'recipient', recipient, 'One person')}
      {one('Time', 'between', between, range ? formatMoments(range.from, range.to, timeZone) : '')}
    </>
  );
}
