import { expect, test } from 'vitest';
import { alertWords } from './alert-words.ts';

const site = { alertNames: ['High level'] };

test("says that an alarm's rule has no rule alert, whatever the other rules have", () => {
  expect(alertWords({ ruleName: 'High level', severity: 'major' }, site)).toBe('');
  expect(alertWords({ ruleName: 'Door open', severity: 'major' }, site)).toBe('no rule alert joins people to it');
  expect(alertWords({ ruleName: 'Site is silent', severity: 'silent' }, site)).toBe('');
});
