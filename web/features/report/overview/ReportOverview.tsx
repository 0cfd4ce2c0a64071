import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { IconType } from 'react-icons';
import { TbBell, TbChartBar, TbChevronRight, TbHeartbeat, TbMessage2, TbSend, TbUserCheck } from 'react-icons/tb';
import { formatSeconds } from '../../../../domain/age.ts';
import { plural } from '../../../../domain/plural.ts';
import { deliveryRate, deliverySums } from '../../../../domain/report/delivery.ts';
import { countBelowTarget, formatShare, share, sumRows, totalOf } from '../../../../domain/report/health.ts';
import { perDayWords } from '../../../../domain/report/per-day.ts';
import { performanceMeasures } from '../../../../domain/report/performance.ts';
import { dayOf } from '../../../../domain/report/range.ts';
import { shownStateName } from '../../../../domain/report/shown-state.ts';
import { counted } from '../../../kit/format/number.ts';
import { officeWords } from '../../../kit/session/group-words.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import type { ListDefaults } from '../../../ui/table/list-view.ts';
import { useListView } from '../../../ui/table/useListView.ts';
import { now } from '../../../ui/time/clock.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { fetchDeliveryFigures } from '../delivery/delivery-figures.queries.ts';
import { HealthByOffice } from '../health/HealthByOffice.tsx';
import { HeatKey } from '../health/HeatKey.tsx';
import { fetchPerformance, fetchPerformanceTargets } from '../performance/performance.queries.ts';
import classes from '../Report.module.css';
import { useLast30Days, writeDay } from '../ranges.ts';
import { orderFromAddress } from '../SortHeading.tsx';
import { useFirstSiteDate } from '../usePreviousPeriod.ts';
import { useAcknowledgement, useAlarmCount, useHealthByOffice, useSms } from '../useReports.ts';

const defaults: ListDefaults = { filters: ['order'] };

/** Overview of the reports: a card with the key figure of each report, and health by unit office. */
export function ReportOverview() {
  const [view, setView] = useListView(defaults);
  return (
    <>
      <div className={classes.cards}>
        <HealthCard />
        <SmsCard />
        <AcknowledgementCard />
        <AlarmsCard />
        <PerformanceCard />
        <DeliveryCard />
      </div>
      <div className={classes.sectionTitle}>
        <h2>Health by {officeWords().one}</h2>
        <HeatKey />
      </div>
      <HealthByOffice order={orderFromAddress(view, setView)} />
    </>
  );
}

function HealthCard() {
  const { query } = useHealthByOffice();
  const total = query.data && totalOf(sumRows(query.data));
  const percent = total ? share(total) : null;
  const offices = query.data && countBelowTarget(query.data);
  return (
    <ReportCard
      to="/reports/health"
      icon={TbHeartbeat}
      title="Health"
      period="Last 12 weeks and today"
      failed={query.isError && !query.data}
      figure={total && (percent === null ? '–' : `${formatShare(percent)} %`)}
      unit="of expected data received"
      note={
        offices &&
        (percent === null
          ? 'No data expected yet'
          : offices.under === 0
            ? `No ${officeWords().one} is under 97 %`
            : `${offices.under} of ${officeWords().isUsual ? counted(offices.of, 'unit office') : `${offices.of.toLocaleString()} ${officeWords().many}`} under 97 %`)
      }
    />
  );
}

function SmsCard() {
  const { query } = useSms();
  const sum = (field: 'messages' | 'segments') => query.data?.reduce((total, row) => total + row[field], 0);
  return (
    <ReportCard
      to="/reports/sms"
      icon={TbMessage2}
      title="SMS"
      period="Last 30 days"
      failed={query.isError && !query.data}
      figure={sum('messages')?.toLocaleString()}
      unit={plural(sum('messages') ?? 0, 'message')}
      note={query.data && counted(sum('segments') ?? 0, 'billed segment')}
    />
  );
}

function AcknowledgementCard() {
  const { query } = useAcknowledgement();
  const facts = query.data;
  const median = facts?.medianSeconds ?? null;
  const sent = facts?.messages ?? 0;
  return (
    <ReportCard
      to="/reports/acknowledgements"
      icon={TbUserCheck}
      title="Acknowledgement"
      period="Last 30 days"
      failed={query.isError && !query.data}
      figure={facts && formatSeconds(median)}
      unit={median === null ? '' : 'to acknowledge'}
      note={
        facts &&
        (sent === 0
          ? 'No alarm SMS sent'
          : `${(facts.acknowledged ?? 0).toLocaleString()} of ${sent.toLocaleString()} alarm SMS acknowledged`)
      }
    />
  );
}

function AlarmsCard() {
  const { range, query } = useAlarmCount();
  const since = useFirstSiteDate({ office: undefined, site: undefined }).data;
  const timeZone = useTimeZone();
  return (
    <ReportCard
      to="/reports/alarms"
      icon={TbBell}
      title="Alarms"
      period="Last 30 days"
      failed={query.isError && !query.data}
      figure={query.data?.toLocaleString()}
      unit={plural(query.data ?? 0, 'alarm')}
      note={
        query.data !== undefined &&
        since !== undefined &&
        perDayWords(query.data, range, since && dayOf(since, timeZone), dayOf(now(), timeZone), undefined, writeDay)
      }
    />
  );
}

function PerformanceCard() {
  const range = useLast30Days();
  const alarms = useAlarmCount().query;
  const asked = { office: undefined, site: undefined, rule: undefined, recipient: undefined };
  const query = useQuery({
    // The query for the performance figures starts after the count of alarms, which is fast and is shown first.
    enabled: !alarms.isPending,
    queryKey: ['report', 'performance', range, asked],
    queryFn: ({ signal }) => fetchPerformance(range, asked, signal),
    staleTime: 60_000,
  });
  const targets = useQuery({
    queryKey: ['report', 'performance-targets'],
    queryFn: ({ signal }) => fetchPerformanceTargets(signal),
    staleTime: 60_000,
  });
  const measures = query.data && targets.data && performanceMeasures(query.data, targets.data);
  const above = measures?.filter(({ state }) => state === 'above').length;
  return (
    <ReportCard
      to="/reports/performance"
      icon={TbChartBar}
      title="Alarm performance"
      period="Last 30 days"
      failed={(query.isError && !query.data) || (targets.isError && !targets.data)}
      figure={measures?.[0]?.value}
      unit="alarms a day per recipient"
      note={
        measures &&
        (above === 0
          ? `All ${measures.length} figures within their targets`
          : `${above} of ${measures.length} figures above their target`)
      }
    />
  );
}

function DeliveryCard() {
  const range = useLast30Days();
  const { query: sms } = useSms();
  const query = useQuery({
    // The slowest query of the overview starts only after the SMS figure has loaded.
    enabled: !sms.isPending,
    queryKey: ['report', 'delivery-figures', range, {}, false],
    queryFn: ({ signal }) => fetchDeliveryFigures(range, { office: undefined, site: undefined }, false, signal),
    staleTime: 60_000,
  });
  const sums = query.data && deliverySums(query.data);
  return (
    <ReportCard
      to="/reports/delivery"
      icon={TbSend}
      title="Delivery"
      period="Last 30 days"
      failed={query.isError && !query.data}
      figure={sums && deliveryRate(sums)}
      unit="of messages sent"
      note={
        sums &&
        [
          sums.failed === 0 ? 'No messages failed' : `${sums.failed.toLocaleString()} failed`,
          ...(sums.kept > 0 ? [`${sums.kept.toLocaleString()} ${shownStateName('kept').toLowerCase()}`] : []),
        ].join(', ')
      }
    />
  );
}

interface ReportCardProps {
  to:
    | '/reports/health'
    | '/reports/sms'
    | '/reports/acknowledgements'
    | '/reports/alarms'
    | '/reports/performance'
    | '/reports/delivery';
  icon: IconType;
  title: string;
  period: string;
  failed: boolean;
  figure: ReactNode;
  unit: string;
  note: ReactNode;
}

/** Card of a report with its key figure. The link works even if the figure failed to load. */
function ReportCard({ to, icon: Icon, title, period, failed, figure, unit, note }: ReportCardProps) {
  return (
    <Link className={classes.card} to={to}>
      <span className={classes.cardHead}>
        <Icon size={16} strokeWidth={1.75} aria-hidden />
        {title}
        <TbChevronRight size={16} strokeWidth={1.75} aria-hidden />
      </span>
      {failed ? (
        <>
          <span className={classes.key}>
            <b>–</b>
          </span>
          <span className={classes.note}>The figure could not be loaded. Open the report to try again.</span>
        </>
      ) : figure === undefined ? (
        <>
          <span className={classes.key}>
            <Skeleton width={96} height={26} />
          </span>
          <span className={classes.note}>
            <Skeleton width={144} />
          </span>
        </>
      ) : (
        <>
          <span className={classes.key}>
            <b>{figure}</b> {unit}
          </span>
          <span className={classes.note}>{note}</span>
        </>
      )}
      <span className={classes.period}>{period}</span>
    </Link>
  );
}
