import { expect, test } from 'vitest';
import { parseListView } from '../../../ui/table/list-view.ts';
import {
  countHiddenFilters,
  filterNames,
  filterOf,
  filterWords,
  isFiltered,
  withoutFilters,
  withPastAlarms,
} from './alarm-filter.ts';

const defaults = { filters: filterNames };
const view = (search: Record<string, string>) => parseListView(search, defaults);
const site = '6f1c0000-0000-4000-8000-000000000001';

test('reads the filter from the address', () => {
  const asked = { show: 'past', severity: 'minor', state: 'escalated', site, rule: 'Level', by: 'site', q: 'pump' };
  expect(filterOf(view(asked), 'Europe/Berlin')).toEqual({
    open: false,
    severity: 'minor',
    search: 'pump',
    state: 'escalated',
    site,
    group: '',
    rule: 'Level',
    flood: '',
    digest: '',
    from: undefined,
    to: undefined,
    bySite: true,
  });
  expect(filterOf(view({ show: 'all' }), 'UTC')).not.toHaveProperty('open');
  expect(filterOf(view({ show: 'mine' }), 'UTC')).toMatchObject({ open: true, mine: true });
});

test('ignores invalid values in the address', () => {
  const asked = {
    show: 'never',
    severity: 'loud',
    state: 'sleeping',
    site: 'x',
    group: '1',
    from: 'soon',
    to: '2026-02-31',
  };
  expect(filterOf(view(asked), 'UTC')).toMatchObject({
    ...{ open: true, severity: '', state: '', site: '', group: '', from: undefined, to: undefined },
  });
});

test('the day range follows the plant’s time zone and includes the last day', () => {
  const { from, to } = filterOf(view({ show: 'past', from: '2026-03-28', to: '2026-03-29' }), 'Europe/Berlin');
  expect(from?.toISOString()).toBe('2026-03-27T23:00:00.000Z');
  // Summer time began on 29 March, so the day ends at 22:00 UTC.
  expect(to?.toISOString()).toBe('2026-03-29T22:00:00.000Z');
});

test('accepts a range with one end, and ignores days for open alarms', () => {
  expect(filterOf(view({ show: 'all', from: '2026-03-28' }), 'UTC').to).toBeUndefined();
  expect(filterOf(view({ from: '2026-03-28', to: '2026-03-28' }), 'UTC')).toMatchObject({
    from: undefined,
    to: undefined,
  });
  expect(countHiddenFilters(view({ from: '2026-03-28' }))).toBe(0);
  expect(countHiddenFilters(view({ show: 'past', from: '2026-03-28', site }))).toBe(2);
});

test('a flood or a digest narrows the list, and the list names it', () => {
  const flooded = view({ show: 'all', flood: site, digest: site });
  expect(filterOf(flooded, 'UTC')).toMatchObject({ flood: site, digest: site });
  expect(countHiddenFilters(flooded)).toBe(2);
  expect(filterWords(flooded, { siteName: '', groups: [] })).toBe('one flood, one digest');
  expect(filterOf(view({ flood: 'x' }), 'UTC')).toMatchObject({ flood: '' });
});

test('grouping is not a filter, and stays when the filters are cleared', () => {
  expect(isFiltered(view({ show: 'past', by: 'site' }))).toBe(false);
  expect(isFiltered(view({ state: 'waiting' }))).toBe(true);
  expect(withoutFilters(view({ by: 'site', severity: 'minor', q: 'a', page: '3' })).filters).toEqual({
    show: '',
    by: 'site',
  });
  const past = withPastAlarms(view({ severity: 'minor', q: 'a', page: '3' }));
  expect(past).toMatchObject({ search: 'a', page: 1, filters: { severity: 'minor', show: 'past' } });
});

test('names the active filters', () => {
  const names = { siteName: 'Kelder Road', groups: [{ value: site, label: 'North (unit office)' }] };
  const asked = { severity: 'critical', state: 'waiting', site, group: site, rule: 'Level', by: 'site', q: 'pump' };
  expect(filterWords(view(asked), names)).toBe(
    'severity Critical, state Not acknowledged, site Kelder Road, group North (unit office), rule “Level”',
  );
  expect(filterWords(view({ from: '2026-03-28' }), names)).toBe('');
  expect(filterWords(view({ show: 'past', from: '2026-03-28' }), names)).toBe('from 2026-03-28');
  expect(filterWords(view({ site }), { siteName: '', groups: [] })).toBe('site (not found)');
  expect(filterWords(view({ severity: 'loud' }), names)).toBe('');
});
