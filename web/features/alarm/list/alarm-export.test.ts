import { expect, test } from 'vitest';
import { csvText } from '../../../../domain/csv.ts';
import type { AlarmRow } from '../alarm.queries.ts';
import { alarmExport, exportName } from './alarm-export.ts';

const open = {
  uuid: 'a',
  severity: 'critical',
  message: '=cmd()',
  siteName: 'Quay, Street',
  dateTime: '2026-03-02T07:30:00Z',
  resolvedDate: null,
  acknowledgeJson: null,
  criteria: { kind: 'limits', lower: null, upper: -15, unit: '°C' },
  conditionDatapoints: { nodes: [] },
  otherHolders: { nodes: [] },
  datapoint: { latestValue: -11.456, uom: '°C', sensorType: 2, status: 2, datapointTitleText: '' },
  site: null,
  notifiedCount: 3,
  notNotifiedBecause: null,
  notNotifiedMethods: [],
  occurrences: 1,
  escalationStep: 0,
  resolvedName: null,
  resolveNote: null,
  assetName: 'Room 3',
  asset: null,
} as unknown as AlarmRow;
const past: AlarmRow = {
  ...open,
  message: 'Quay, Street: hatch open',
  assetName: '',
  asset: { name: 'Yard' },
  resolvedDate: '2026-03-02T08:00:30Z',
  resolvedName: 'Ruth Ames',
  resolveNote: 'Closed it',
  acknowledgeJson: {
    name: 'Lena Voss',
    at: '2026-03-02T07:40:00.167000+00:00',
    reason: 'Crew on the way',
    text: 'Two people',
  },
};

const lines = (...rows: AlarmRow[]) =>
  csvText(
    alarmExport.map(({ header }) => header),
    rows.map((row) => alarmExport.map(({ value }) => value(row))),
  ).split('\r\n');

test('exports what the list shows and disarms spreadsheet formulas', () => {
  expect(lines(open, past).slice(1)).toEqual([
    `critical,'=cmd(),"Quay, Street",Room 3,2026-03-02T07:30:00Z,,,-11.456,°C,above -15 °C,1,3,0,,,,,,`,
    'critical,Hatch open,"Quay, Street",Yard,2026-03-02T07:30:00Z,2026-03-02T08:00:30Z,1830,,,above -15 °C,1,3,0,Lena Voss,2026-03-02T07:40:00Z,Crew on the way,Two people,Ruth Ames,Closed it',
    '',
  ]);
});

test('exports how many conditions hold, or the value of a single condition as a number', () => {
  const uuid = '11111111-1111-4111-8111-111111111111';
  const high = { fact: uuid, operator: 'greaterThan', value: 80 };
  const point = { uuid, tocsinDatapointName: 'Level', latestValue: 91.256, lastUpdated: null, uom: '%', sensorType: 2 };
  const of = (...all: object[]): AlarmRow => ({
    ...open,
    datapoint: null,
    criteria: {
      kind: 'conditions',
      words: 'W',
      ruleJson: JSON.stringify({ conditions: { all }, event: { type: 'alarm' } }),
    },
    conditionDatapoints: { nodes: [{ ...point, asset: null, sensorChannel: null }] },
  });
  const cells = (row: AlarmRow) => lines(row)[1]?.split(',').slice(8, 11);
  expect(cells(of(high))).toEqual(['91.256', '%', 'W']);
  expect(cells(of(high, { ...high, value: 95 }))).toEqual(['1 of 2 met', '', 'W']);
});

test('names the file by the kind of alarms and the time', () => {
  const view = { search: '', sort: null, page: 1, size: 100, filters: { show: 'past' } } as never;
  expect(exportName(view, new Date('2026-03-02T09:30:12Z'))).toBe('past-alarms-2026-03-02T0930Z');
});
