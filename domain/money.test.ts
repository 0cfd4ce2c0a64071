import { expect, test } from 'vitest';
import { costOf, costWords, priceOf, writeAmount, writeMoney, writePrice } from './money.ts';

test.each([
  [2, { price: 0.0745, currency: 'EUR' }, '€0.149', '0.149'],
  [1, { price: 0.07, currency: 'EUR' }, '€0.07', '0.07'],
  [1200, { price: 0.0745, currency: 'USD' }, '$89.40', '89.40'],
  [3, { price: 5, currency: 'JPY' }, '¥15', '15'],
  [729, { price: 7.5, currency: 'JPY' }, '¥5,468', '5,468'],
  [3, { price: 0.0045, currency: 'KWD' }, 'KWD\u00a00.0135', '0.0135'],
  [300, { price: 0.0045, currency: 'KWD' }, 'KWD\u00a01.350', '1.350'],
  [0, { price: 0.07, currency: 'GBP' }, '£0.00', '0.00'],
])('%i parts at %o cost %s', (parts, price, money, amount) => {
  const sum = costOf(parts, price);
  expect([writeMoney(sum, price.currency, 'en'), writeAmount(sum, price.currency, 'en')]).toEqual([money, amount]);
});

test('in a column every line has the figures of its sum, unless it would read as nothing', () => {
  const price = { price: 0.045, currency: 'GBP' };
  expect(costWords(19, price, 'en')).toBe('£0.855');
  expect(costWords(19, price, 'en', 710)).toBe('£0.86');
  expect(writeAmount(0.855, 'GBP', 'en', 31.95)).toBe('0.86');
  expect(costWords(2, { price: 0.0007, currency: 'GBP' }, 'en', 5000)).toBe('£0.0014');
});

test('a cost has no figures that a price cannot have', () => {
  expect(0.0745 * 3).not.toBe(0.2235);
  expect(costOf(3, { price: 0.0745 })).toBe(0.2235);
});

test.each([
  [{ price: 7.5, currency: 'JPY' }, '¥7.5'],
  [{ price: 0.0745, currency: 'EUR' }, '€0.0745'],
  [{ price: 2, currency: 'EUR' }, '€2.00'],
])('the price %o is written %s', (price, words) => expect(writePrice(price, 'en')).toBe(words));

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
