import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { can } from '../../../../domain/permission.ts';
import { performanceMeasures } from '../../../../domain/report/performance.ts';
import { counted } from '../../../kit/format/number.ts';
import { key } from '../../../kit/list/list.ts';
import { useHeaderTitle } from '../../../kit/page/header-slot.ts';
import { useActor } from '../../../kit/session/actor.ts';
import { PlantPeopleOnly } from '../../../kit/session/PlantPeopleOnly.tsx';
import { EmptyState } from '../../../ui/Notice.tsx';
import { Card, Page } from '../../../ui/Page.tsx';
import { FilterSelect } from '../../../ui/table/FilterSelect.tsx';
import type { ListDefaults } from '../../../ui/table/list-view.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { LoadFailed } from '../LoadFailed.tsx';
import reportClasses from '../Report.module.css';
import { ReportTitle } from '../ReportTitle.tsx';
import { Downloads, PanelFilters, PlaceFilters, PrintDetails, RangePicker } from '../ReportTools.tsx';
import { formatDates } from '../ranges.ts';
import { useEmptyReason } from '../usePreviousPeriod.ts';
import { downloadQuery, isNarrowed, type ReportView, reportFilters, useReportView } from '../useReportView.ts';
import { FigureLink } from './FigureLink.tsx';
import { LoadPicture } from './LoadPicture.tsx';
import { Measures } from './Measures.tsx';
import classes from './Performance.module.css';
import { Quality, Recipients, Severities } from './PerformanceTables.tsx';
import {
  fetchPerformance,
  fetchPerformanceTargets,
  type PerformanceFilters,
  type PerformanceReport,
} from './performance.queries.ts';
import { TopRules } from './TopRules.tsx';
import { WeeklyReportButton } from './WeeklyReportButton.tsx';

const narrowing = ['office', 'site', 'rule', 'recipient'];
const defaults: ListDefaults = { filters: [...new Set([...reportFilters, ...narrowing])] };
const orders = {};

export function PerformanceReportPage() {
  useHeaderTitle('Reports', 'Alarm performance');
  return (
    <Page>
      <PlantPeopleOnly title="Alarm performance">
        <Performance />
      </PlantPeopleOnly>
    </Page>
  );
}

function usePerformance(range: ReportView['range'], asked: PerformanceFilters, enabled = true) {
  return useQuery({
    enabled,
    queryKey: ['report', 'performance', range, asked],
    queryFn: ({ signal }) => fetchPerformance(range, asked, signal),
    staleTime: 60_000,
  });
}

function Performance() {
  const report = useReportView(defaults, orders);
  const { view, range, office, site } = report;
  const timeZone = useTimeZone();
  const getsMail = can(useActor(), 'rule.update');
  const [rule, recipient] = [key(view.filters.rule), key(view.filters.recipient)];
  const asked = { office, site, rule, recipient };
  const query = usePerformance(range, asked);
  const targets = useQuery({
    queryKey: ['report', 'performance-targets'],
    queryFn: ({ signal }) => fetchPerformanceTargets(signal),
    staleTime: 60_000,
  });
  const data = query.data;
  const measures = data && targets.data && performanceMeasures(data, targets.data);
  const error = query.error ?? targets.error;
  return (
    <>
      <ReportTitle
        name="Performance"
        within={<Link to="/reports/alarms">Alarms</Link>}
        actions={
          <>
            {getsMail ? <WeeklyReportButton /> : null}
            <Downloads name="performance" query={downloadQuery(report, { rule, recipient })} />
          </>
        }
      >
        Alarm performance
      </ReportTitle>
      <div className={reportClasses.tools}>
        <RangePicker report={report} />
        <PanelFilters report={report} names={narrowing}>
          <PlaceFilters report={report} />
          <RuleAndRecipient report={report} asked={asked} data={data} />
        </PanelFilters>
        <span className={reportClasses.range}>{formatDates(range.from, range.to, timeZone)}</span>
        <Summary report={report} data={data} />
        <PrintDetails order="" />
      </div>
      {error && !data ? (
        <Card>
          <LoadFailed what="The report" error={error} />
        </Card>
      ) : (
        <>
          <Measures report={report} measures={measures} />
          {data && targets.data ? (
            data.alarms === 0 ? (
              <NoAlarms report={report} asked={asked} />
            ) : (
              <>
                <LoadPicture report={report} data={data} />
                <div className={classes.parts}>
                  <TopRules report={report} data={data} />
                  <div className={classes.column}>
                    <Severities report={report} data={data} targets={targets.data} />
                    <Quality report={report} data={data} targets={targets.data} />
                  </div>
                  <Recipients report={report} data={data} />
                </div>
              </>
            )
          ) : null}
        </>
      )}
    </>
  );
}

function NoAlarms({ report, asked }: { report: ReportView; asked: PerformanceFilters }) {
  const nothing = useEmptyReason(report, asked, 'All values stayed within limits and no site was silent.');
  return (
    <Card>
      <EmptyState title="No alarms in this period">
        {isNarrowed(report) ? 'Choose another range or clear the filters.' : nothing}
      </EmptyState>
    </Card>
  );
}

function Summary({ report, data }: { report: ReportView; data: PerformanceReport | undefined }) {
  const editsTargets = can(useActor(), 'customer.update');
  return (
    <span className={classes.summary}>
      {data ? (
        <>
          <FigureLink report={report} label={`All ${counted(data.alarms, 'alarm')} of this report`}>
            {data.alarms.toLocaleString()}
          </FigureLink>{' '}
          alarms, {(data.alarms / Math.max(1, data.days)).toLocaleString(undefined, { maximumFractionDigits: 1 })} a
          day.{' '}
        </>
      ) : null}
      {editsTargets ? (
        <Link className={classes.fig} to="/admin/company" hash="targets">
          Edit targets
        </Link>
      ) : null}
    </span>
  );
}

interface RuleAndRecipientProps {
  report: ReportView;
  asked: PerformanceFilters;
  data: PerformanceReport | undefined;
}

/** Filters for the rule and the recipient. The options come from the report without these two filters. */
function RuleAndRecipient({ report, asked, data }: RuleAndRecipientProps) {
  const { view, setView, range } = report;
  const filtered = asked.rule !== undefined || asked.recipient !== undefined;
  const all = usePerformance(range, { ...asked, rule: undefined, recipient: undefined }, filtered);
  const known = filtered ? all.data : data;
  const rules = (known?.rules ?? []).map(({ uuid, ruleName, siteName }) => ({
    value: uuid ?? '',
    label: `${ruleName}, ${siteName}`,
  }));
  const people = (known?.recipients ?? []).map(({ uuid, name }) => ({ value: uuid ?? '', label: name ?? '' }));
  const withChosen = (options: { value: string; label: string }[], chosen: string | undefined, label: string) =>
    chosen === undefined || options.some(({ value }) => value === chosen)
      ? options
      : [...options, { value: chosen, label }];
  return (
    <>
      <FilterSelect
        label="Rule"
        name="rule"
        options={withChosen(rules, asked.rule, 'One rule')}
        view={view}
        onViewChange={setView}
      />
      <FilterSelect
        label="Recipient"
        name="recipient"
        options={withChosen(people, asked.recipient, 'One person')}
        view={view}
        onViewChange={setView}
      />
    </>
  );
}
