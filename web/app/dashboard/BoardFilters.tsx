import { useQuery } from '@tanstack/react-query';
import { severities } from '../../../domain/rule/priority.ts';
import { officeWords } from '../../kit/session/group-words.ts';
import { SearchField } from '../../ui/SearchField.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { type State, StateMark } from '../../ui/StateMark.tsx';
import { noAlarm, stateWords } from '../../ui/state-words.ts';
import { DensityChoice } from '../../ui/table/DensityChoice.tsx';
import { FilterSelect } from '../../ui/table/FilterSelect.tsx';
import { type ListView, withFilter, withSearch } from '../../ui/table/list-view.ts';
import { fetchChoices } from './dashboard.queries.ts';
import classes from './Filters.module.css';

/** The states that the dashboard can be filtered by. */
export const boardStates = [...severities, 'shelved', 'maintenance', 'normal'] as const satisfies readonly State[];
const views = [
  { value: 'board', label: 'Board' },
  { value: 'list', label: 'List' },
] as const;

interface BoardFiltersProps {
  view: ListView;
  onViewChange: (next: ListView) => void;
  /** Number of sites in each state; undefined while loading. */
  counts: Record<string, number> | undefined;
}

/** The dashboard's filters. The URL stores all of them. */
export function BoardFilters({ view, onViewChange, counts }: BoardFiltersProps) {
  const choices = useQuery({
    queryKey: ['dashboard', 'choices'],
    queryFn: ({ signal }) => fetchChoices(signal),
    staleTime: 300_000,
  });
  const set = (name: string) => (value: string) => onViewChange(withFilter(view, name, value));
  const state = view.filters.state ?? '';
  const isList = view.filters.view === 'list';
  const all = counts && Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <div className={classes.filters}>
      <SearchField
        className={classes.search}
        hint="Site, asset or ID"
        value={view.search}
        onChange={(text) => onViewChange(withSearch(view, text))}
      />
      <FilterSelect
        label={officeWords().title}
        name="office"
        options={choices.data?.offices ?? []}
        view={view}
        onViewChange={onViewChange}
      />
      <FilterSelect
        label="Type"
        name="type"
        options={choices.data?.types ?? []}
        view={view}
        onViewChange={onViewChange}
      />
      <fieldset className={classes.chips} aria-label="Sites by state">
        <button type="button" className={classes.chip} aria-pressed={state === ''} onClick={() => set('state')('')}>
          All sites <b>{all?.toLocaleString()}</b>
        </button>
        {boardStates.map((name) => (
          <button
            key={name}
            type="button"
            className={classes.chip}
            aria-pressed={state === name}
            onClick={() => set('state')(state === name ? '' : name)}
          >
            <span aria-hidden>
              <StateMark state={name} look="shape" />
            </span>
            {name === 'normal' ? noAlarm : stateWords[name]} <b>{counts && (counts[name] ?? 0).toLocaleString()}</b>
          </button>
        ))}
      </fieldset>
      <span className={classes.order}>Worst first</span>
      <span className={classes.view}>
        <Segmented
          label="View"
          options={views}
          value={isList ? 'list' : 'board'}
          onChange={(value) => set('view')(value === 'list' ? 'list' : '')}
        />
        {isList ? <DensityChoice /> : null}
      </span>
    </div>
  );
}
