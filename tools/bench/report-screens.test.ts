import { expect, test } from 'vitest';
import { consoleOperations } from '../check-operations.ts';
import { reportScreens } from './report-screens.ts';

test('the benchmark of reports uses the console’s operations', () => {
  const asked = Object.values(reportScreens(new Date('2026-03-02T09:00:00Z'), 'Europe/Berlin')).flat();
  const known = consoleOperations();
  expect(asked.map(([operation]) => operation).filter((operation) => !known.has(operation))).toEqual([]);
});
