import { describe, expect, test } from 'vitest';
import { ask, small, withDemo } from '../../test/harness/database/demo.ts';
import { isLong, long } from '../../test/harness/long.ts';
import { fewestSites, loadDemo } from './index.ts';

describe('a load at any time succeeds', () => {
  const moments: [name: string, moment: string][] = [
    ['the last moment of a leap day', '2024-02-29T23:59:59.999Z'],
    ['an hour that the change to summer time skips', '2026-03-29T01:30:00.500Z'],
  ];
  const others: typeof moments = [
    ['the first moment of a week', '2026-11-09T00:00:00.000Z'],
    ['a moment between two sampling times', '2026-06-18T10:10:02.000Z'],
  ];
  test.each(isLong ? [...moments, ...others] : moments)('%s', async (_, moment) => {
    await withDemo({ now: new Date(moment) }, async (db) => {
      const [row] = await ask(
        db,
        `select (select max(server_time) from tocsin.reading) <= '${moment}' and (select max(date_time) from tocsin.alarm) <= '${moment}'
           and (select max(slot_start) from tocsin.health_slot) <= '${moment}' as past,
           (select count(*)::int from tocsin.alarm where resolved_date is null) as open,
           (select max(device_time) from tocsin.reading) = (select max(last_update) from tocsin.site) as current`,
      );
      expect(row).toEqual({ past: true, open: expect.any(Number), current: true });
      expect(row.open).toBeGreaterThanOrEqual(10);
    });
  });
});

describe('a plant of another size', () => {
  long('above 150 sites stores fewer readings for each', async () => {
    await withDemo({ sites: 160 }, async (db) => {
      const [row] = await ask(
        db,
        `select (select count(*)::int from tocsin.site) as sites, (select count(*)::int from tocsin.reading) as readings,
        (select count(*)::int from tocsin.sensor_channel) as channels, (select count(*)::int from tocsin.alarm where resolved_date is null) as open`,
      );
      expect(row.sites).toBe(160);
      expect(row.readings / row.channels).toBeLessThan(180);
      expect(row.readings / row.channels).toBeGreaterThan(80);
      expect(row.open).toBe(21);
    });
  });

  test.each([0, fewestSites - 1, 12.5, Number.NaN])('%s sites are refused', async (sites) => {
    const db = { migration: () => Promise.reject(new Error('not reached')) };
    await expect(loadDemo({ db, ...small, sites })).rejects.toThrow(RangeError);
  });
});
