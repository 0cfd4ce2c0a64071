import { expect, test } from 'vitest';
import type { AlarmRow } from './alarm.queries.ts';
import { groupsOf } from './groups.ts';

const row = (uuid: string, acknowledgeJson: unknown) => ({ uuid, acknowledgeJson }) as AlarmRow;
const rows = [row('a', null), row('b', { name: 'Owen Hughes' }), row('c', null)];

test('what nobody has acknowledged stands first, with the numbers of all pages', () => {
  expect(groupsOf(rows, false, { open: 16, unacknowledged: 6 })).toEqual([
    { title: 'Not acknowledged', count: 6, rows: [rows[0], rows[2]] },
    { title: 'Acknowledged', count: 10, rows: [rows[1]] },
  ]);
});

test('a group without rows is left out', () => {
  expect(groupsOf([row('a', null)], false, undefined).map((group) => group.title)).toEqual(['Not acknowledged']);
});

test('past alarms are one group in the order they came', () => {
  expect(groupsOf(rows, true, undefined)).toEqual([{ title: '', count: undefined, rows }]);
});
