import { severities } from '../../../../domain/rule/priority.ts';
import { rangeOfDays } from '../../../kit/format/log-range.ts';
import type { State } from '../../../ui/StateMark.tsx';
import { stateWords } from '../../../ui/state-words.ts';
import type { ListView } from '../../../ui/table/list-view.ts';
import type { AlarmFilter, AlarmState } from '../alarm.queries.ts';

/** Names of the filters in the URL. */
export const filterNames = [
  'show',
  'severity',
  'state',
  'site',
  'group',
  'rule',
  'flood',
  'digest',
  'from',
  'to',
  'by',
] as const;

export const showOptions = [
  { value: 'open', label: 'Open' },
  { value: 'mine', label: 'Mine' },
  { value: 'shelved', label: 'Shelved' },
  { value: 'past', label: 'Past' },
  { value: 'all', label: 'All' },
] as const;
export type Show = (typeof showOptions)[number]['value'];

export const stateOptions: readonly { value: AlarmState; label: string }[] = [
  { value: 'waiting', label: 'Not acknowledged' },
  { value: 'acknowledged', label: 'Acknowledged' },
  { value: 'escalated', label: 'Escalated' },
];

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export function showOf({ filters }: ListView): Show {
  return showOptions.find(({ value }) => value === filters.show)?.value ?? 'open';
}

/** Returns true if the list can be filtered by date. */
export function isDated(view: ListView): boolean {
  return showOf(view) === 'past' || showOf(view) === 'all';
}

/**
 * Reads the filter from the URL. Ignores invalid values, because users can edit the URL. Days are in the plant's time
 * zone and apply to past alarms only.
 */
export function filterOf(view: ListView, timeZone: string): AlarmFilter {
  const { filters, search } = view;
  const show = showOf(view);
  const text = (name: string) => filters[name] ?? '';
  const key = (name: string) => (uuid.test(text(name)) ? text(name) : '');
  const day = (name: string) => (isDated(view) ? rangeOfDays(text(name), text(name), timeZone) : undefined);
  return {
    ...(show === 'all' ? {} : { open: show !== 'past' }),
    ...(show === 'shelved' && { shelved: true }),
    ...(show === 'mine' && { mine: true }),
    severity: severities.find((known) => known === text('severity')) ?? '',
    search,
    state: stateOptions.find(({ value }) => value === text('state'))?.value ?? '',
    site: key('site'),
    group: key('group'),
    rule: text('rule'),
    flood: key('flood'),
    digest: key('digest'),
    from: day('from')?.from,
    to: day('to')?.to,
    bySite: text('by') === 'site',
  };
}

/** Counts the active filters that are hidden behind the “more filters” button. */
export function countHiddenFilters(view: ListView): number {
  const always = ['state', 'site', 'group', 'rule', 'flood', 'digest'];
  const names = isDated(view) ? [...always, 'from', 'to'] : always;
  return names.filter((name) => (view.filters[name] ?? '') !== '').length;
}

/**
 * Returns true if a search or filter is active. The grouping and the choice between open, mine, shelved, past and all
 * do not count.
 */
export function isFiltered(view: ListView): boolean {
  return view.search !== '' || (view.filters.severity ?? '') !== '' || countHiddenFilters(view) > 0;
}

interface FilterNames {
  siteName: string;
  groups: readonly { value: string; label: string }[];
}

/** Lists the active filters without the search text: `severity Critical, site Kelder Road`. */
export function filterWords(view: ListView, { siteName, groups }: FilterNames): string {
  const { severity = '', state, site, group, rule, flood, digest, from, to } = view.filters;
  const labelOf = (options: FilterNames['groups'], chosen: string | undefined) =>
    options.find(({ value }) => value === chosen)?.label ?? '';
  const words = [
    ['severity', severities.some((known) => known === severity) ? stateWords[severity as State] : ''],
    ['state', labelOf(stateOptions, state)],
    ['site', site && (siteName || '(not found)')],
    ['group', group && (labelOf(groups, group) || '(not found)')],
    ['rule', rule && `“${rule}”`],
    ['one flood', flood && ' '],
    ['one digest', digest && ' '],
    ['from', isDated(view) && from],
    ['to', isDated(view) && to],
  ] as const;
  return words.flatMap(([name, value]) => (value ? `${name} ${value}`.trim() : [])).join(', ');
}

/** Returns the view without search and filters. Keeps the grouping. */
export function withoutFilters(view: ListView, show: Show = showOf(view)): ListView {
  const kept = { show: show === 'open' ? '' : show, by: view.filters.by ?? '' };
  return { ...view, search: '', page: 1, filters: kept };
}

/** Returns the view of past alarms with the same search and filters. */
export function withPastAlarms(view: ListView): ListView {
  return { ...view, page: 1, filters: { ...view.filters, show: 'past' } };
}
