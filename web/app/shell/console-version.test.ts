import { expect, test } from 'vitest';
import { entryScriptOf, isNewVersion } from './console-version.ts';

const page = (name: string) =>
  `<!doctype html><head><script src="/theme.js"></script><script type="module" crossorigin src="/assets/${name}.js"></script></head>`;

test('finds the module script, not the script before it', () => {
  expect(entryScriptOf(page('index-abc'))).toBe('/assets/index-abc.js');
});

test('a different script name means a different version', () => {
  expect(isNewVersion('/assets/index-abc.js', page('index-abc'))).toBe(false);
  expect(isNewVersion('/assets/index-abc.js', page('index-def'))).toBe(true);
});

test('ignores a page that is not the console, such as a proxy error', () => {
  expect(isNewVersion('/assets/index-abc.js', '<h1>Bad gateway</h1>')).toBe(false);
  expect(isNewVersion(null, page('index-def'))).toBe(false);
});
