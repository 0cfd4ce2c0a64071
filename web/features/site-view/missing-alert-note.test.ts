import { expect, test } from 'vitest';
import { missingAlertNote } from './missing-alert-note.ts';

const site = { alertNames: ['High level'] };

test("says that an alarm's rule has no rule alert, whatever the other rules have", () => {
  expect(missingAlertNote({ ruleName: 'High level', severity: 'major' }, site)).toBe('');
  expect(missingAlertNote({ ruleName: 'Door open', severity: 'major' }, site)).toBe('no rule alert');
  expect(missingAlertNote({ ruleName: 'Site is silent', severity: 'silent' }, site)).toBe('');
});
