import { expect, test } from 'vitest';
import { bandsOf, placeOf, visibleWidth } from './alarm-bands.ts';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const alarm = (uuid: string, from: number, to: number | null, severity = 'major') => ({
  uuid,
  severity,
  message: uuid,
  dateTime: at(from),
  resolvedDate: to === null ? null : at(to),
  acknowledgeJson: null,
  tocsinDatapointUuid: 'p' as string | null,
  conditionDatapoints: { nodes: [] as { uuid: string }[] },
});

test('clips bands to the window and ends open ones now', () => {
  const bands = bandsOf(
    [
      alarm('past', 0, 150, 'critical'),
      alarm('open', 180, null, 'minor'),
      alarm('before', 0, 50),
      alarm('after', 400, null),
    ],
    { from: 100_000, to: 300_000 },
    250_000,
  );
  expect(bands.map(({ uuid, from, to, open }) => ({ uuid, from, to, open }))).toEqual([
    { uuid: 'open', from: 180_000, to: 250_000, open: true },
    { uuid: 'past', from: 100_000, to: 150_000, open: false },
  ]);
});

test('assigns a band to its data point, or to all of its conditions', () => {
  const conditions = {
    ...alarm('conditions', 0, null),
    tocsinDatapointUuid: null,
    conditionDatapoints: { nodes: [{ uuid: 'p' }, { uuid: 'q' }] },
  };
  const bands = bandsOf([alarm('rule', 0, null), conditions], { from: 0, to: 100_000 }, 100_000);
  expect(bands.map(({ points }) => points)).toEqual([['p'], ['p', 'q']]);
});

test('gives a short alarm a minimum width, even at the edge', () => {
  const place = placeOf({ from: 999_999, to: 1_000_000 }, { from: 0, to: 1_000_000 });
  expect(place.width).toBeGreaterThan(0.005);
  expect(place.left + place.width).toBeLessThanOrEqual(1);
});

test('limits the label of a band to its visible part', () => {
  const window = { from: 0, to: 100_000 };
  const bands = bandsOf([alarm('major', 50, 100), alarm('critical', 60, 100, 'critical')], window, 100_000);
  const [major, critical] = bands.map((band) => visibleWidth(band, bands, window));
  expect(major).toBeCloseTo(0.1);
  expect(critical).toBeCloseTo(0.4);
});
