import { Button, Checkbox } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { severities } from '../../../../domain/rule/priority.ts';
import { siteSource } from '../../../kit/choices/site-links.queries.ts';
import { ExportButton } from '../../../kit/list/ExportButton.tsx';
import { Picker } from '../../../kit/record/Picker.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { Segmented } from '../../../ui/Segmented.tsx';
import { stateWords } from '../../../ui/state-words.ts';
import { DensityChoice } from '../../../ui/table/DensityChoice.tsx';
import { FilterSelect } from '../../../ui/table/FilterSelect.tsx';
import { type ListView, offsetOf, withFilter, withSearch } from '../../../ui/table/list-view.ts';
import { MoreFilters } from '../../../ui/table/MoreFilters.tsx';
import { now } from '../../../ui/time/clock.ts';
import { useTimeZone } from '../../../ui/time/TimeZone.tsx';
import { fetchAlarms } from '../alarm.queries.ts';
import { SoundButton } from '../bell/SoundChoice.tsx';
import { useOpenAlarms } from '../bell/useOpenAlarms.ts';
import classes from './AlarmFilters.module.css';
import { alarmExport, exportName } from './alarm-export.ts';
import {
  countHiddenFilters,
  filterOf,
  isDated,
  type Show,
  showOf,
  showOptions,
  stateOptions,
  withoutFilters,
} from './alarm-filter.ts';
import { useFilterNames } from './useFilterNames.ts';

const severityOptions = severities.map((value) => ({ value, label: stateWords[value] }));

interface AlarmFiltersProps {
  view: ListView;
  onViewChange: (next: ListView) => void;
}

/** Filters of the alarm list, stored in the URL. Rarely used filters are behind a button. */
export function AlarmFilters({ view, onViewChange }: AlarmFiltersProps) {
  const phone = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  const counts = useOpenAlarms().data;
  const countOf: Partial<Record<Show, number | undefined>> = { open: counts?.open, shelved: counts?.shelved };
  return (
    <>
      <Segmented
        label="Which alarms"
        options={showOptions.map((option) => ({ ...option, count: countOf[option.value] }))}
        value={showOf(view)}
        onChange={(show) => onViewChange(withFilter(view, 'show', show === 'open' ? '' : show))}
      />
      <FilterSelect
        label="Severity"
        name="severity"
        options={severityOptions}
        view={view}
        onViewChange={onViewChange}
      />
      <SearchField
        className={classes.search}
        hint="Message, place or reason"
        value={view.search}
        onChange={(text) => onViewChange(withSearch(view, text))}
      />
      <span className={classes.end}>
        <MoreFilters
          count={countHiddenFilters(view)}
          foot={
            phone ? (
              <div className={classes.export}>
                <AlarmExport view={view} />
              </div>
            ) : null
          }
        >
          <More view={view} onViewChange={onViewChange} />
        </MoreFilters>
        {phone ? null : <AlarmExport view={view} small />}
        <DensityChoice />
        <SoundButton />
      </span>
    </>
  );
}

/** Button that exports all pages of the filtered list. */
function AlarmExport({ view, small = false }: { view: ListView; small?: boolean }) {
  const filter = filterOf(view, useTimeZone());
  return (
    <ExportButton
      name={() => exportName(view, now())}
      view={view}
      fetch={(portion) => fetchAlarms({ ...filter, size: portion.size, offset: offsetOf(portion) })}
      columns={alarmExport}
      small={small}
    />
  );
}

function More({ view, onViewChange }: AlarmFiltersProps) {
  const { groups, rules, siteName } = useFilterNames(view);
  const site = view.filters.site ?? '';
  const set = (filter: string, value: string) => onViewChange(withFilter(view, filter, value));
  return (
    <>
      <FilterSelect label="State" name="state" options={stateOptions} view={view} onViewChange={onViewChange} />
      <FilterSelect label="Group" name="group" options={groups} view={view} onViewChange={onViewChange} />
      <FilterSelect label="Rule" name="rule" options={rules} view={view} onViewChange={onViewChange} />
      <Picker
        // The key contains the site's name, so that the field remounts when the name has loaded.
        key={`${site} ${siteName}`}
        label="Site"
        hint="All, or type a name or ID"
        source={siteSource}
        value={site === '' ? null : { value: site, label: siteName }}
        onChange={(chosen) => set('site', chosen?.value ?? '')}
        clearable
        inside
      />
      {isDated(view) ? (
        <fieldset className={classes.days}>
          <legend>Past alarms that were open on these days</legend>
          {(['from', 'to'] as const).map((end) => (
            <input
              key={end}
              type="date"
              aria-label={end === 'from' ? 'First day' : 'Last day'}
              value={view.filters[end] ?? ''}
              onChange={(event) => set(end, event.currentTarget.value)}
            />
          ))}
        </fieldset>
      ) : null}
      <Checkbox
        label="Group by site"
        checked={view.filters.by === 'site'}
        onChange={(event) => set('by', event.currentTarget.checked ? 'site' : '')}
      />
      {countHiddenFilters(view) > 0 ? (
        <Button variant="default" size="xs" onClick={() => onViewChange(withoutFilters(view))}>
          Clear all filters
        </Button>
      ) : null}
    </>
  );
}
