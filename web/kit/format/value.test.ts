import { describe, expect, test } from 'vitest';
import { formatNumber, readValue, signalBars } from './value.ts';

describe('a number', () => {
  test.each([
    [-11.4, '\u221211.4'],
    [0.18, '0.18'],
    [2.3333, '2.33'],
    [123.456, '123.5'],
    [12345.6, '12,346'],
    [0, '0'],
    [999_999_999_999, '999,999,999,999'],
    [1e300, '1e+300'],
    [-3.4028e38, '\u22123.403e+38'],
  ])('%d reads %s', (value, text) => expect(formatNumber(value, 'en-GB')).toBe(text));
});

test.each([
  [100.24, [null, 100.22], '100.24'],
  [4.2348, [null, 4.2345], '4.235'],
  [4.2348, [1, 4], '4.23'],
  [1000.2, [null, 1000.1], '1,000.2'],
  [4.2, [null, 4.2], '4.2'],
  [-4.2001, [-4.2, null], '\u22124.2001'],
])('beside limits %d of %j reads %s', (value, limits, text) => expect(formatNumber(value, 'en-GB', limits)).toBe(text));

describe('a value', () => {
  const point = { latestValue: 4.62, uom: 'm', sensorType: 2, datapointTitleText: 'High' };
  test('is a number with its unit', () => expect(readValue(point, 'en-GB')).toEqual({ text: '4.62', unit: 'm' }));
  test('of a digital channel is its state name', () =>
    expect(readValue({ ...point, sensorType: 1, latestValue: 0, datapointTitleText: 'Off' })).toEqual({
      text: 'Off',
      unit: '',
    }));
  test('of a digital channel without a state name is its number', () =>
    expect(readValue({ ...point, sensorType: 1, latestValue: 1, uom: '', datapointTitleText: '' })?.text).toBe('1'));
  test('is null before the first reading', () => expect(readValue({ ...point, latestValue: null })).toBeNull());
});

test.each([
  [null, 0],
  [-115, 0],
  [-101, 1],
  [-85, 2],
  [-79, 3],
  [-60, 4],
])('a signal of %j dBm fills %d bars', (dbm, bars) => expect(signalBars(dbm)).toBe(bars));
