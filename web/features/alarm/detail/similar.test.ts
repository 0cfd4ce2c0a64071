import { expect, test } from 'vitest';
import { noSimilarWords, reasonCounts } from './similar.ts';

test('counts reasons, most frequent first, and skips unacknowledged alarms', () => {
  const because = (reason: string) => ({ acknowledgeJson: { name: 'Owen Hughes', reason } });
  expect(
    reasonCounts([because('Rain'), because('Sensor fault'), { acknowledgeJson: null }, because('Sensor fault')]),
  ).toEqual([
    { reason: 'Sensor fault', times: 2 },
    { reason: 'Rain', times: 1 },
  ]);
});

test('names rule and data point of a first alarm only if its kind has them', () => {
  expect(noSimilarWords('limits')).toBe('First alarm of this rule and data point.');
  expect(noSimilarWords('conditions')).toBe('First alarm of this rule.');
  expect(noSimilarWords('silence')).toBe('First alarm of this kind at this site.');
});
