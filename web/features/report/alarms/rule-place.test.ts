import { expect, test } from 'vitest';
import { placeOfRule } from './rule-place.ts';

const row = { uuid: 'u', ruleName: 'Door open', siteName: 'Quay' };

test('links a rule to its editor, by its kind', () => {
  expect(placeOfRule({ ...row, source: 'limits' })).toEqual({
    to: '/admin/rules',
    search: { q: 'Door open Quay', record: 'u' },
  });
  expect(placeOfRule({ ...row, source: 'conditions' })).toEqual({
    to: '/admin/rules',
    search: { tab: 'conditions', record: 'u' },
  });
  expect(placeOfRule({ ...row, source: 'digital' })).toEqual({ to: '/admin/datapoints', search: { record: 'u' } });
});
