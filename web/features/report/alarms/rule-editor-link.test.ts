import { expect, test } from 'vitest';
import { ruleEditorLink } from './rule-editor-link.ts';

const row = { uuid: 'u', ruleName: 'Door open', siteName: 'Quay' };

test('links a rule to its editor, by its kind', () => {
  expect(ruleEditorLink({ ...row, source: 'limits' })).toEqual({
    to: '/admin/rules',
    search: { q: 'Door open Quay', record: 'u' },
  });
  expect(ruleEditorLink({ ...row, source: 'conditions' })).toEqual({
    to: '/admin/rules',
    search: { tab: 'conditions', record: 'u' },
  });
  expect(ruleEditorLink({ ...row, source: 'digital' })).toEqual({ to: '/admin/datapoints', search: { record: 'u' } });
});
