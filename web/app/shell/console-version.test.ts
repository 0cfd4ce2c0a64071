import { expect, test } from 'vitest';
import { entryOf, isAnother } from './console-version.ts';

const page = (name: string) =>
  `<!doctype html><head><script src="/theme.js"></script><script type="module" crossorigin src="/assets/${name}.js"></script></head>`;

test('finds the module script, not the script before it', () => {
  expect(entryOf(page('index-abc'))).toBe('/assets/index-abc.js');
});

test('another name is another version', () => {
  expect(isAnother('/assets/index-abc.js', page('index-abc'))).toBe(false);
  expect(isAnother('/assets/index-abc.js', page('index-def'))).toBe(true);
});

test('ignores a page that is not the console, such as a proxy error', () => {
  expect(isAnother('/assets/index-abc.js', '<h1>Bad gateway</h1>')).toBe(false);
  expect(isAnother(null, page('index-def'))).toBe(false);
});
