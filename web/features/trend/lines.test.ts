import { describe, expect, test } from 'vitest';
import { axisRange, axisTextRoom, chartHeight, heightsOf, linesOf, panelsOf, spread, valueAxisWidth } from './lines.ts';

const point = (uuid: string, more: Record<string, unknown> = {}) => ({
  uuid,
  tocsinDatapointName: 'Temperature',
  uom: '°C',
  sensorType: 2,
  asset: { name: 'Room 1', site: { uuid: 's', name: 'Quay' } },
  sensorChannel: { channelLowText: '', channelHighText: 'Open' },
  rules: { nodes: [] as ({ enabled: boolean; valueLower: number | null; valueUpper: number | null } | null)[] },
  ...more,
});

describe('lines', () => {
  test('are named by asset, and by site where there are several', () => {
    const same = linesOf([
      point('a'),
      point('b', { asset: { name: 'Temperature', site: { uuid: 's', name: 'Quay' } } }),
    ]);
    expect(same.map(({ label }) => label)).toEqual(['Room 1 Temperature', 'Temperature']);
    const two = linesOf([point('a'), point('b', { asset: { name: 'Room 2', site: { uuid: 't', name: 'Mill' } } })]);
    expect(two.map(({ label }) => label)).toEqual(['Quay, Room 1 Temperature', 'Mill, Room 2 Temperature']);
  });

  test('differ by colour, then by dash', () => {
    const many = linesOf(Array.from({ length: 6 }, (_, index) => point(String(index))));
    expect(many.map(({ colour, dash }) => `${colour}${dash}`)).toEqual(['10', '20', '30', '40', '11', '21']);
  });

  test('have the tightest limits of the enabled rules', () => {
    const rules = {
      nodes: [
        { enabled: true, valueLower: null, valueUpper: 8 },
        { enabled: true, valueLower: -2, valueUpper: 6 },
        { enabled: false, valueLower: 0, valueUpper: 1 },
        null,
      ],
    };
    expect(linesOf([point('a', { rules })])[0]?.limits).toEqual([
      { value: 6, side: 'high' },
      { value: -2, side: 'low' },
    ]);
  });

  test('share a panel by unit, or have their own; digital ones always do', () => {
    const lines = linesOf([
      point('a'),
      point('b', { uom: 'A' }),
      point('c'),
      point('d', { sensorType: 1 }),
      point('e', { sensorType: 1 }),
    ]);
    const names = (axes: 'shared' | 'own') =>
      panelsOf(lines, axes).map((panel) => panel.lines.map(({ uuid }) => uuid).join(''));
    expect(names('shared')).toEqual(['ac', 'b', 'd', 'e']);
    expect(names('own')).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(lines[3]).toMatchObject({ unit: '', lowText: 'Low', highText: 'Open' });
  });
});

test('shares the height between the panels, down to a minimum', () => {
  expect(heightsOf([{ digital: false }, { digital: false }, { digital: true }], 364)).toEqual([150, 150, 64]);
  expect(heightsOf([{ digital: false }, { digital: false }, { digital: false }], 200)).toEqual([110, 110, 110]);
});

test('includes values and limits in the axis, and handles none', () => {
  const [bottom, top] = axisRange(1, 3, [5]);
  expect(bottom).toBeLessThan(1);
  expect(top).toBeGreaterThan(5);
  expect(axisRange(null, null, [])).toEqual([0, 1]);
  expect(axisRange(7, 7, [])[0]).toBeLessThan(7);
  expect(axisRange(null, Number.NaN, [])).toEqual([0, 1]);
});

test('moves labels apart, within the height', () => {
  expect(spread([10, 12, 50], 14, 200)).toEqual([10, 24, 50]);
  expect(spread([198, 195], 14, 200)).toEqual([200, 186]);
});

test('reserves the height that the panels will take', () => {
  expect(chartHeight([{ digital: false }], 360)).toBe(360);
  expect(chartHeight([{ digital: true }], 360)).toBe(90);
  expect(chartHeight([{ digital: false }, { digital: false }, { digital: false }], 200)).toBe(356);
});

test('makes the value axis wide enough for state texts, up to a limit', () => {
  const textWidth = (text: string) => text.length * 6;
  const panels = (...texts: string[]) =>
    panelsOf(
      linesOf(
        texts.map((channelHighText) =>
          point(channelHighText, { sensorType: 1, sensorChannel: { channelLowText: 'Off', channelHighText } }),
        ),
      ),
      'shared',
    );
  expect(valueAxisWidth(panelsOf(linesOf([point('a')]), 'shared'), textWidth)).toBe(56);
  const wide = valueAxisWidth(panels('On', 'Standby overflow'), textWidth);
  expect(axisTextRoom(wide)).toBeGreaterThanOrEqual(textWidth('Standby overflow'));
  expect(valueAxisWidth(panels('x'.repeat(200)), textWidth)).toBe(160);
});
