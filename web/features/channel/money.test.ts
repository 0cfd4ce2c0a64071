import { expect, test } from 'vitest';
import { costOf, priceOf } from './money.ts';

test.each([
  [2, { price: 0.0745, currency: 'EUR' }, '€0.149'],
  [1, { price: 0.07, currency: 'EUR' }, '€0.07'],
  [1200, { price: 0.0745, currency: 'USD' }, '$89.40'],
  [3, { price: 5, currency: 'JPY' }, '¥15'],
  [0, { price: 0.07, currency: 'GBP' }, '£0.00'],
])('%i parts at %o cost %s', (parts, price, money) => expect(costOf(parts, price, 'en')).toBe(money));

test.each([
  ['0.075', 0.075],
  ['0,075', 0.075],
  [' 1000 ', 1000],
  ['0', null],
  ['1001', null],
  ['-1', null],
  ['1e3', null],
  ['', null],
])('%j as a price is %j', (text, price) => expect(priceOf(text)).toBe(price));
