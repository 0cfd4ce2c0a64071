import { Link } from '@tanstack/react-router';
import {
  type Cell,
  countBelowTarget,
  type HealthPeriod,
  previousMonthWords,
  previousPeriodsWords,
  shareWords,
  sumRows,
  totalOf,
} from '../../../../domain/report/health.ts';
import { gapRange } from '../../../../domain/report/health-periods.ts';
import { At } from '../../../kit/format/At.tsx';
import { counted } from '../../../kit/format/number.ts';
import { officeWords } from '../../../kit/session/group-words.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { Figure, Figures } from '../Figures.tsx';
import { formatMonth } from '../ranges.ts';
import { useFirstSiteDate } from '../usePreviousPeriod.ts';
import { useHealthBefore, useHealthByOffice, useHealthBySite, useSilentSites } from '../useReports.ts';

const slotsOf = (cell: Cell | undefined) =>
  cell && cell.expected > 0 ? `${cell.received.toLocaleString()} of ${counted(cell.expected, 'slot')}` : undefined;

interface HealthFiguresProps {
  bySite: boolean;
  each: HealthPeriod | undefined;
  /** Unit office to which the figures are limited; undefined for all sites. */
  office: string | undefined;
  until: string | undefined;
}

/** Key figures of the health report, for all sites or one unit office. */
export function HealthFigures({ bySite, office, until, each }: HealthFiguresProps) {
  const { range, query } = useHealthByOffice(until, each);
  const words = useShareWords(office);
  const end = gapRange(range, useTimeZone()).to;
  const before = useHealthBefore(until, each);
  const silence = useSilentSites();
  const silentSince = silence.data?.since;
  const sum = (rows: typeof query.data) =>
    rows && totalOf(sumRows(rows.filter(({ id }) => office === undefined || id === office)));
  const [total, old] = [sum(query.data), sum(before.data)];
  const was = (value: string) => total && old && previousPeriodsWords(each ?? 'week', total, old, value);
  const offices = query.data && countBelowTarget(query.data);
  const nothing = total?.expected === 0 ? words(total, end) : undefined;
  return (
    <Figures>
      <Figure
        name="Expected data received"
        value={words(total, end)}
        unit={slotsOf(total)}
        before={old && was(words(old, end) ?? '')}
        failed={query.isError}
      />
      <LastMonth office={office} until={until} />
      {bySite ? (
        <SitesBelowTarget office={office} until={until} each={each} nothing={nothing} />
      ) : (
        <Figure
          name={`${officeWords().many} under 97 %`}
          value={nothing ?? offices?.under.toLocaleString()}
          unit={nothing === undefined && offices && `of ${offices.of.toLocaleString()}`}
          before={before.data && was(countBelowTarget(before.data).under.toLocaleString())}
          failed={query.isError}
        />
      )}
      {office === undefined && until === undefined ? (
        <Figure
          name="Silent now"
          value={silence.data?.silent.toLocaleString()}
          unit={silence.data && `of ${counted(silence.data.sites, 'site')}`}
          before={
            silentSince ? (
              <>
                longest since <At at={silentSince} />
              </>
            ) : undefined
          }
          more={
            silence.data && silence.data.silent > 0 ? (
              <Link to="/dashboard" search={{ state: 'silent' }}>
                Silent sites
              </Link>
            ) : undefined
          }
          failed={silence.isError}
        />
      ) : null}
    </Figures>
  );
}

/**
 * Returns a function that formats the share of the expected data that was received until `end`. The returned function
 * returns undefined while data is loading.
 */
function useShareWords(office: string | undefined) {
  const since = useFirstSiteDate({ office, site: undefined }).data;
  return (cell: Cell | undefined, end: Date) =>
    cell && (cell.expected > 0 || since !== undefined) ? shareWords(cell, since ?? null, end) : undefined;
}

/** Key figure for the last whole month, compared with the month before. */
function LastMonth({ office, until }: Pick<HealthFiguresProps, 'office' | 'until'>) {
  const { range, query } = useHealthByOffice(until, 'month');
  const timeZone = useTimeZone();
  const words = useShareWords(office);
  const [oldEnd, end] = range.weekStarts.slice(-2) as [Date, Date];
  const [before = '', last] = range.weekStarts.slice(-3).map((start) => formatMonth(start, timeZone));
  const cells = query.data && sumRows(query.data.filter(({ id }) => office === undefined || id === office)).cells;
  const [old, now] = [cells?.[10], cells?.[11]];
  return (
    <Figure
      name={`Received in ${last}`}
      value={words(now, end)}
      unit={slotsOf(now)}
      before={old && previousMonthWords(before, old, words(old, oldEnd) ?? '')}
      failed={query.isError}
    />
  );
}

interface SitesBelowTargetProps extends Omit<HealthFiguresProps, 'bySite'> {
  /** Text to show if no site was expected to send data. */
  nothing: string | undefined;
}

function SitesBelowTarget({ office, until, each, nothing }: SitesBelowTargetProps) {
  const { query } = useHealthBySite(office ?? '', until, each);
  const sites = query.data && countBelowTarget(query.data);
  return (
    <Figure
      name="Sites under 97 %"
      value={nothing ?? sites?.under.toLocaleString()}
      unit={nothing === undefined && sites && `of ${sites.of.toLocaleString()}`}
      failed={query.isError}
    />
  );
}
