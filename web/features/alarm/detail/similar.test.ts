import { expect, test } from 'vitest';
import { firstWords, reasonCounts } from './similar.ts';

test('the reason that was given most often stands first, and what nobody acknowledged has none', () => {
  const because = (reason: string) => ({ acknowledgeJson: { name: 'Owen Hughes', reason } });
  expect(
    reasonCounts([because('Rain'), because('Sensor fault'), { acknowledgeJson: null }, because('Sensor fault')]),
  ).toEqual([
    { reason: 'Sensor fault', times: 2 },
    { reason: 'Rain', times: 1 },
  ]);
});

test('the first alarm of conditions has no data point, and that of a silent site no rule either', () => {
  expect(firstWords('limits')).toBe('This is the first one of its rule and data point.');
  expect(firstWords('conditions')).toBe('This is the first one of its rule.');
  expect(firstWords('silence')).toBe('This is the first one of its kind at this site.');
});
