import {
  type Cell,
  countUnder,
  earlierWords,
  formatShare,
  type HealthPeriod,
  share,
  sumRows,
  totalOf,
} from '../../../domain/report/health.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import { counted } from '../list/number.ts';
import { Figure, Figures } from './Figures.tsx';
import { formatMonth } from './ranges.ts';
import { useHealthBefore, useHealthByOffice, useHealthBySite, useSilence } from './useReports.ts';

const percent = (cell: Cell) => (share(cell) === null ? '–' : `${formatShare(share(cell))} %`);

interface HealthFiguresProps {
  bySite: boolean;
  each: HealthPeriod | undefined;
  /** Only this unit office. */
  office: string | undefined;
  until: string | undefined;
}

/** The key figures of the report, of all sites or of one unit office. */
export function HealthFigures({ bySite, office, until, each }: HealthFiguresProps) {
  const { query } = useHealthByOffice(until, each);
  const before = useHealthBefore(until, each);
  const silence = useSilence();
  const sum = (rows: typeof query.data) =>
    rows && totalOf(sumRows(rows.filter(({ id }) => office === undefined || id === office)));
  const [total, old] = [sum(query.data), sum(before.data)];
  const was = (value: string) => total && old && earlierWords(each ?? 'week', total, old, value);
  const offices = query.data && countUnder(query.data);
  return (
    <Figures>
      <Figure
        name="Received of expected"
        value={total && percent(total)}
        unit={total && `${total.received.toLocaleString()} of ${counted(total.expected, 'slot')}`}
        before={old && was(percent(old))}
        failed={query.isError}
      />
      <LastMonth office={office} until={until} />
      {bySite ? (
        <SitesUnder office={office} until={until} each={each} />
      ) : (
        <Figure
          name="Unit offices under 97 %"
          value={offices?.under.toLocaleString()}
          unit={offices && `of ${offices.of.toLocaleString()}`}
          before={before.data && was(countUnder(before.data).under.toLocaleString())}
          failed={query.isError}
        />
      )}
      {office === undefined && until === undefined ? (
        <Figure
          name="Silent now"
          value={silence.data?.silent.toLocaleString()}
          unit={silence.data && `of ${counted(silence.data.sites, 'site')}`}
          failed={silence.isError}
        />
      ) : null}
    </Figures>
  );
}

/** The last whole month against the one before. */
function LastMonth({ office, until }: Pick<HealthFiguresProps, 'office' | 'until'>) {
  const { range, query } = useHealthByOffice(until, 'month');
  const timeZone = useTimeZone();
  const [before, last] = range.weekStarts.slice(-3).map((start) => formatMonth(start, timeZone));
  const cells = query.data && sumRows(query.data.filter(({ id }) => office === undefined || id === office)).cells;
  const [old, now] = [cells?.[10], cells?.[11]];
  return (
    <Figure
      name={`Received in ${last}`}
      value={now && percent(now)}
      unit={now && `${now.received.toLocaleString()} of ${counted(now.expected, 'slot')}`}
      before={old && `${before} ${percent(old)}`}
      failed={query.isError}
    />
  );
}

function SitesUnder({ office, until, each }: Omit<HealthFiguresProps, 'bySite'>) {
  const { query } = useHealthBySite(office ?? '', until, each);
  const sites = query.data && countUnder(query.data);
  return (
    <Figure
      name="Sites under 97 %"
      value={sites?.under.toLocaleString()}
      unit={sites && `of ${sites.of.toLocaleString()}`}
      failed={query.isError}
    />
  );
}
