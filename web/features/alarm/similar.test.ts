import { expect, test } from 'vitest';
import { reasonCounts } from './similar.ts';

test('the reason that was given most often stands first, and what nobody acknowledged has none', () => {
  const because = (reason: string) => ({ acknowledgeJson: { name: 'Owen Hughes', reason } });
  expect(
    reasonCounts([because('Rain'), because('Sensor fault'), { acknowledgeJson: null }, because('Sensor fault')]),
  ).toEqual([
    { reason: 'Sensor fault', times: 2 },
    { reason: 'Rain', times: 1 },
  ]);
});
