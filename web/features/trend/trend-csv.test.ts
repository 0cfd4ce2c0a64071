import { expect, test } from 'vitest';
import { trendCsv } from './trend-csv.ts';

const lines = [
  { uuid: 'a', label: 'Room 1', unit: '°C' },
  { uuid: 'b', label: '=Pump', unit: '' },
  { uuid: 'gone', label: 'Gone', unit: '' },
];
const list = (uuid: string, times: number[], values: (number | null)[], bucketMs: number | null = null) => ({
  uuid,
  times,
  values,
  lows: values.map((value) => value && value - 1),
  highs: values.map((value) => value && value + 1),
  bucketMs,
});

test('writes a row for each time and a column for each value, with minimum and maximum for averages', () => {
  const csv = trendCsv(
    lines,
    [list('a', [0, 1000, 2000, 9000], [1, -2.5, null, 7]), list('b', [1000], [4], 1000)],
    { from: 1000, to: 2000 },
    (time) => `t${time}`,
  );
  expect(csv.split('\r\n')).toEqual([
    'Time,Time (UTC),Room 1 (°C),\'=Pump,"\'=Pump, lowest","\'=Pump, highest"',
    't1000,1970-01-01T00:00:01.000Z,-2.5,4,3,5',
    't2000,1970-01-01T00:00:02.000Z,,,,',
    '',
  ]);
});
