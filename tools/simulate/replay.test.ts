import { describe, expect, test } from 'vitest';
import { readSeries, retime } from './replay.ts';

const now = Date.UTC(2026, 10, 15);
const columns = { time: 'timestamp', value: 'value' };

describe('a file', () => {
  test('returns its two columns sorted by time', () => {
    const text = 'id,timestamp,"value"\r\n1,2013-12-02 21:20:00,74.9\n2,"2013-12-02 21:15:00","73.9"\n';
    expect(readSeries(text, columns)).toEqual({
      rows: [
        { time: Date.UTC(2013, 11, 2, 21, 15), value: 73.9 },
        { time: Date.UTC(2013, 11, 2, 21, 20), value: 74.9 },
      ],
      skipped: 0,
    });
  });

  test('skips rows without a valid time or number', () => {
    const text = 'timestamp,value\n2013-12-02,1\nnever,2\n2013-12-03,\n2013-12-04,x\n2013-12-05';
    expect(readSeries(text, columns)).toMatchObject({ rows: [{ value: 1 }], skipped: 4 });
  });

  test('without the column reports which columns exist', () => {
    expect(() => readSeries('a,b\n1,2', columns)).toThrow('The file has no column "timestamp". It has a, b.');
  });
});

describe('retime', () => {
  const rows = [0, 300_000, 900_000].map((time) => ({ time, value: 1 }));

  test('with max speed makes history up to now', () => {
    expect(retime(rows, 'max', now).map(({ time }) => time - now)).toEqual([-900_000, -600_000, 0]);
  });

  test('with speed 60 starts now', () => {
    expect(retime(rows, 60, now).map(({ time }) => time - now)).toEqual([0, 5000, 15_000]);
  });

  test('returns nothing for no rows', () => expect(retime([], 'max', now)).toEqual([]));
});
