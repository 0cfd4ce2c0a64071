import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { TbChevronDown, TbDownload, TbPrinter } from 'react-icons/tb';
import type { Preset } from '../../../domain/report/range.ts';
import { key } from '../../kit/list/list.ts';
import { Picker } from '../../kit/record/Picker.tsx';
import { officeWords } from '../../kit/session/group-words.ts';
import { useUser } from '../../kit/session/session.ts';
import filter from '../../ui/table/FilterSelect.module.css';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import type { ListView } from '../../ui/table/list-view.ts';
import { MoreFilters } from '../../ui/table/MoreFilters.tsx';
import { useFromNow } from '../../ui/time/clock.ts';
import { formatClock, formatDay } from '../../ui/time/format.ts';
import { useTimeZone } from '../../ui/time/TimeZone.tsx';
import classes from './ReportTools.module.css';
import { siteSourceIn } from './report.queries.ts';
import { useSiteName } from './useKnownParameters.ts';
import { useUnitOffices } from './useReports.ts';
import type { ReportView } from './useReportView.ts';

const presets: readonly { value: Preset; label: string }[] = [
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: 'month', label: 'This month' },
  { value: 'last-month', label: 'Last month' },
  { value: 'year', label: 'This year' },
  { value: 'last-year', label: 'Last year' },
];

interface RangePickerProps {
  report: ReportView;
  /** Additional error messages about URL parameters that match no row of the report. */
  more?: readonly string[];
}

/**
 * Lets the user choose a preset range, or a first and a last day. An invalid range stays as entered, with an error
 * message.
 */
export function RangePicker({ report, more = [] }: RangePickerProps) {
  const { range, preset, problem, unknownParameters, change, view } = report;
  const custom = preset === null;
  const [first, last] = [view.filters.from ?? range.firstDay, view.filters.to ?? range.lastDay];
  return (
    <>
      <label className={filter.filter}>
        <span className={filter.label}>Range</span>
        <select
          value={preset ?? 'custom'}
          onChange={({ currentTarget: { value } }) =>
            change(
              value === 'custom'
                ? { range: '', from: range.firstDay, to: range.lastDay }
                : { range: value === '30d' ? '' : value, from: '', to: '' },
            )
          }
        >
          {presets.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          <option value="custom">Custom</option>
        </select>
        <TbChevronDown size={14} strokeWidth={1.75} aria-hidden />
      </label>
      {custom ? (
        <span className={classes.days}>
          <DayField
            label="First day"
            value={first}
            invalid={problem?.field === 'from'}
            onChange={(from) => change({ from, to: last })}
          />
          <DayField
            label="Last day"
            value={last}
            invalid={problem?.field === 'to'}
            onChange={(to) => change({ from: first, to })}
          />
        </span>
      ) : null}
      {problem ? <Problem>{problem.sentence} The report shows the last 30 days instead.</Problem> : null}
      <UnknownParameters sentences={[...unknownParameters, ...more]} />
    </>
  );
}

/** Shows a message for each URL parameter that the report does not support. */
export function UnknownParameters({ sentences }: { sentences: readonly string[] }) {
  return sentences.map((sentence) => <Problem key={sentence}>{sentence}</Problem>);
}

/** Error message about the URL, on its own line below the toolbar. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <p className={classes.problem} role="alert">
      {children}
    </p>
  );
}

interface DayFieldProps {
  label: string;
  value: string;
  invalid?: boolean;
  onChange: (day: string) => void;
}

/** Date field. Reports a change only when the year is complete, so that typing does not reload the report. */
export function DayField({ label, value, invalid = false, onChange }: DayFieldProps) {
  const [draft, setDraft] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setDraft(value);
  }
  return (
    <label className={`${filter.filter} ${classes.box}`}>
      <span className={filter.label}>{label}</span>
      <input
        type="date"
        className={classes.day}
        value={draft}
        min="1970-01-01"
        max="9999-12-31"
        aria-invalid={invalid || undefined}
        onChange={({ currentTarget }) => {
          setDraft(currentTarget.value);
          if (/^[12]\d{3}-/.test(currentTarget.value)) onChange(currentTarget.value);
        }}
      />
    </label>
  );
}

/** Returns true if the filters are in a panel. In print they are always visible, even on a phone. */
function useFiltersInPanel(): boolean {
  return useMediaQuery('screen and (max-width: 767px)', false, { getInitialValueInEffect: false });
}

interface PanelFiltersProps {
  report: ReportView;
  /** URL parameters that these filters set. */
  names: readonly string[];
  children: ReactNode;
}

/** Filters other than the date range. On a phone they are in a panel behind a button. */
export function PanelFilters({ report: { view }, names, children }: PanelFiltersProps) {
  if (!useFiltersInPanel()) return children;
  return <MoreFilters count={names.filter((name) => view.filters[name]).length}>{children}</MoreFilters>;
}

/** Filters for the unit office and the site. */
export function PlaceFilters({ report, withSite = true }: { report: ReportView; withSite?: boolean }) {
  const { view, setView } = report;
  return (
    <>
      <OfficeFilter view={view} onViewChange={(next) => setView({ ...next, filters: { ...next.filters, site: '' } })} />
      {withSite ? <SiteFilter report={report} /> : null}
    </>
  );
}

interface OfficeFilterProps {
  view: ListView;
  onViewChange: (next: ListView) => void;
}

export function OfficeFilter({ view, onViewChange }: OfficeFilterProps) {
  const offices = useUnitOffices();
  const office = key(view.filters.office);
  const options = office === undefined || offices.data ? [] : [{ value: office, label: '…' }];
  return (
    <FilterSelect
      label={officeWords().title}
      name="office"
      options={[...options, ...(offices.data ?? [])]}
      view={view}
      onViewChange={onViewChange}
    />
  );
}

/**
 * Filter for one site. If a unit office is chosen, the site must belong to it. The user types to search, because there
 * can be thousands of sites.
 */
function SiteFilter({ report: { office, site, change } }: { report: ReportView }) {
  const inside = useFiltersInPanel();
  const name = useSiteName(site);
  return (
    <span className={`${filter.filter} ${classes.site}`} data-chosen={site !== undefined || undefined}>
      <span className={filter.label} aria-hidden>
        Site
      </span>
      <Picker
        // If the URL contains a site, its name loads after the first render. The new key then resets the field.
        key={`${site ?? ''} ${name.data ?? ''}`}
        aria-label="Site"
        plain
        inside={inside}
        hint="All"
        source={siteSourceIn(office)}
        value={site === undefined ? null : { value: site, label: name.data ?? '' }}
        onChange={(chosen) => change({ site: chosen?.value ?? '' })}
        clearable
      />
    </span>
  );
}

interface PersonFilterProps {
  report: ReportView;
  /** Names of the people with rows in the report; undefined while loading. */
  names: readonly (string | null)[] | undefined;
}

export function PersonFilter({ report: { view, setView }, names = [] }: PersonFilterProps) {
  const people = [...new Set(names)].filter((name) => name !== null).toSorted((a, b) => a.localeCompare(b));
  return (
    <FilterSelect
      label="Person"
      name="person"
      options={people.map((name) => ({ value: name, label: name }))}
      view={view}
      onViewChange={setView}
    />
  );
}

interface PrintDetailsProps {
  /** Search term of the list. */
  search?: string;
  /** Description of the sort order. */
  order: string;
}

/** Search term, sort order, customer name and time of printing; visible only in print. */
export function PrintDetails({ search, order }: PrintDetailsProps) {
  const { tocsin_customer: customer } = useUser();
  const timeZone = useTimeZone();
  const printed = useFromNow((at) => `${formatDay(at, timeZone)} ${formatClock(at, timeZone)}`);
  return (
    <>
      <span className={classes.onPaper} data-paper>
        {search ? `Search: “${search}”. ${order}` : order}
      </span>
      <span className={classes.onPaper} data-paper>
        {customer.name}, printed {printed}
      </span>
    </>
  );
}

/** Printed below a list that does not show all rows. */
export const ALL_ROWS_IN_FILES = 'The CSV and XLSX files contain all rows.';

/** Buttons to download the report with its current filters, and to print it. */
export function Downloads({ name, query }: { name: string; query: string }) {
  return (
    <div className={classes.downloads}>
      <Button
        variant="subtle"
        leftSection={<TbPrinter size={14} strokeWidth={1.75} aria-hidden />}
        onClick={() => window.print()}
      >
        Print
      </Button>
      {(['csv', 'xlsx', 'pdf'] as const).map((format, index) => (
        <Button
          key={format}
          component="a"
          variant="default"
          href={`/api/v1/reports/${name}.${format}?${query}`}
          download
          aria-label={`Download as ${format.toUpperCase()}`}
          {...(index === 0 && { leftSection: <TbDownload size={14} strokeWidth={1.75} aria-hidden /> })}
        >
          {format.toUpperCase()}
        </Button>
      ))}
    </div>
  );
}
