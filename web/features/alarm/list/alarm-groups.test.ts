import { expect, test } from 'vitest';
import type { AlarmRow } from '../alarm.queries.ts';
import { groupsBySite, groupsOf } from './alarm-groups.ts';

const row = (uuid: string, acknowledgeJson: unknown, more: Partial<AlarmRow> = {}) =>
  ({ uuid, acknowledgeJson, resolvedDate: null, quietBecause: null, ...more }) as AlarmRow;
const rows = [row('a', null), row('b', { name: 'Owen Hughes' }), row('c', null)];

test('unacknowledged alarms come first, with the counts of all pages', () => {
  expect(groupsOf(rows, false, { open: 16, unacknowledged: 6, shelved: 0, consequences: 0 })).toEqual([
    { key: 'Not acknowledged', title: 'Not acknowledged', count: 6, rows: [rows[0], rows[2]] },
    { key: 'Acknowledged', title: 'Acknowledged', count: 10, rows: [rows[1]] },
  ]);
});

test('quiet alarms come after the open ones and are not counted with them', () => {
  const consequence = row('e', null, { quietBecause: 'dependency' });
  const shelved = row('d', null, { quietBecause: 'shelved' });
  const counts = { open: 16, unacknowledged: 6, shelved: 2, consequences: 1 };
  const groups = groupsOf([...rows, consequence, shelved], false, counts);
  expect(groups.map(({ title, count }) => [title, count])).toEqual([
    ['Not acknowledged', 6],
    ['Acknowledged', 10],
    ['Consequences', 1],
    ['Shelved', 2],
  ]);
  expect(groups.at(-1)).toMatchObject({ note: 'not counted as open', rows: [shelved] });
});

test('leaves out a group without rows', () => {
  expect(groupsOf([row('a', null)], false, undefined).map((group) => group.title)).toEqual(['Not acknowledged']);
});

test('past alarms form one group in their given order', () => {
  expect(groupsOf(rows, true, undefined)).toEqual([{ key: '', title: '', count: undefined, rows }]);
});

test('past alarms come last in a list of all alarms', () => {
  const over = row('d', null, { resolvedDate: '2026-03-02T08:00:00Z' });
  expect(groupsOf([...rows, over], false, undefined).map(({ title, rows: of }) => [title, of.length])).toEqual([
    ['Not acknowledged', 2],
    ['Acknowledged', 1],
    ['Past', 1],
  ]);
});

test('keeps two sites with the same name apart, and a deleted site keeps its name', () => {
  const at = (uuid: string, site: string | null, siteName: string) =>
    row(uuid, null, { siteName, site: site === null ? null : ({ uuid: site } as AlarmRow['site']) });
  const sites = [at('a', '1', 'Quay'), at('b', '1', 'Quay'), at('c', '2', 'Quay'), at('d', null, 'Old mill')];
  expect(groupsBySite(sites).map(({ title, rows: of }) => [title, of.map(({ uuid }) => uuid)])).toEqual([
    ['Quay', ['a', 'b']],
    ['Quay', ['c']],
    ['Old mill', ['d']],
  ]);
});
