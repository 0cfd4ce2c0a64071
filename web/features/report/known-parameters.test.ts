import { expect, test } from 'vitest';
import { deliveryOrders, personOrders } from '../../../domain/report/list-order.ts';
import { parseListView } from '../../ui/table/list-view.ts';
import { keepKnownParameters, missingRowMessages } from './known-parameters.ts';

const defaults = {
  sort: { column: 'time', descending: true },
  filters: ['range', 'from', 'to', 'by', 'office', 'method', 'state', 'kind', 'person', 'order'],
};
const read = (address: Record<string, string>) =>
  keepKnownParameters(parseListView(address, defaults), defaults, { sort: deliveryOrders, order: personOrders });

test('keeps supported parameters without a message', () => {
  const address = {
    ...{ range: 'last-month', by: 'site', office: '0a1b2c3d-0000-4000-8000-000000000000', method: '3', state: 'out' },
    ...{ kind: '1', person: 'Anna Berg', order: '-failed', sort: '-site' },
  };
  const { view, unknownParameters } = read(address);
  expect(unknownParameters).toEqual([]);
  const { sort, ...filters } = address;
  expect(view.filters).toEqual(filters);
  expect(view.sort).toEqual({ column: 'site', descending: true });
});

test.each([
  [{ range: 'fortnight' }, 'the range “fortnight”', 'The report shows the last 30 days instead.'],
  [{ by: 'day' }, 'rows by “day”', 'The report shows unit offices instead.'],
  [{ office: 'Harbour' }, 'the unit office “Harbour”', 'The report shows all unit offices instead.'],
  [{ method: '9' }, 'the method “9”', 'The report shows all methods instead.'],
  [{ state: 'lost' }, 'the state “lost”', 'The report shows all states instead.'],
  [{ kind: 'x' }, 'messages about “x”', 'The report shows all messages instead.'],
  [{ order: '-colour' }, 'the order “-colour”', 'The report uses the default order.'],
  [{ order: 'a b' }, 'the order “a b”', 'The report uses the default order.'],
  [{ sort: 'colour' }, 'the order “colour”', 'The report uses the default order.'],
])('reports and drops %j', (address, what, shown) => {
  const { view, unknownParameters } = read(address as Record<string, string>);
  expect(unknownParameters).toEqual([`The address requests ${what}, which this report does not support. ${shown}`]);
  expect(view.filters).toEqual({});
  expect(view.sort).toEqual(defaults.sort);
});

test('shows the days of the address instead of an unknown range', () => {
  const { view, unknownParameters } = read({ range: 'fortnight', from: '2026-01-01', to: '2026-01-14' });
  expect(unknownParameters[0]).toMatch(/The report shows the days in the address instead\.$/);
  expect(view.filters).toEqual({ from: '2026-01-01', to: '2026-01-14' });
});

test('reports a reason or person without rows, once the rows are loaded', () => {
  expect(missingRowMessages('reason', 'Old fault', ['Loading', null])).toEqual([
    'No alarm in this report has the reason “Old fault”.',
  ]);
  expect(missingRowMessages('person', 'Anna Berg', [])).toEqual(['No message in this report went to “Anna Berg”.']);
  expect(missingRowMessages('person', 'Anna Berg', ['Anna Berg'])).toEqual([]);
  expect(missingRowMessages('person', 'Anna Berg', undefined)).toEqual([]);
  expect(missingRowMessages('reason', undefined, [])).toEqual([]);
});
