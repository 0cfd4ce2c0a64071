import { expect, test } from 'vitest';
import { levelWords } from './group-level.ts';

const none = { group2_name: '', group3_name: '', group4_name: '', group5_name: '' };

test('uses the default names if the company has set none', () => {
  expect(levelWords(5, none).title).toBe('Unit office');
  expect(levelWords(5, null).all).toBe('All unit offices');
  expect(levelWords(2, none).title).toBe('Level 2 group');
});

test("uses the company's name", () => {
  const own = { ...none, group2_name: ' Region ', group5_name: 'Area' };
  expect(levelWords(2, own).title).toBe('Region');
  expect(levelWords(5, own)).toEqual({ title: 'Area', one: 'Area', all: 'Area: all', many: 'Area', isUsual: false });
  expect(levelWords(3, own).title).toBe('Level 3 group');
});
