import { expect, test } from 'vitest';
import { columnDecimals, costOf, costWords, parsePrice, writeAmount, writeMoney, writePrice } from './money.ts';

test.each([
  [2, { price: 0.0745, currency: 'EUR' }, '€0.149', '0.149'],
  [1, { price: 0.07, currency: 'EUR' }, '€0.07', '0.07'],
  [1200, { price: 0.0745, currency: 'USD' }, '$89.40', '89.40'],
  [3, { price: 5, currency: 'JPY' }, '¥15', '15'],
  [729, { price: 7.5, currency: 'JPY' }, '¥5,468', '5,468'],
  [3, { price: 0.0045, currency: 'KWD' }, 'KWD\u00a00.0135', '0.0135'],
  [300, { price: 0.0045, currency: 'KWD' }, 'KWD\u00a01.350', '1.350'],
  [0, { price: 0.07, currency: 'GBP' }, '£0.00', '0.00'],
])('%i segments at %o cost %s', (segments, price, money, amount) => {
  const sum = costOf(segments, price);
  expect([writeMoney(sum, price.currency, 'en'), writeAmount(sum, price.currency, 'en')]).toEqual([money, amount]);
});

test('uses the decimals of the price in a column, so that the rows add up to the total', () => {
  const price = { price: 0.045, currency: 'GBP' };
  const figures = columnDecimals(price);
  expect([19, 33, 576, 628].map((segments) => costWords(segments, price, 'en'))).toEqual([
    '£0.855',
    '£1.485',
    '£25.920',
    '£28.260',
  ]);
  expect(writeAmount(0.855, 'GBP', 'en', figures)).toBe('0.855');
  expect(columnDecimals({ price: 0.5, currency: 'EUR' })).toBe(2);
  expect(costWords(3, { price: 7.5, currency: 'JPY' }, 'en')).toBe('¥23');
});

test('rounds a cost to the maximum decimals of a price', () => {
  expect(0.0745 * 3).not.toBe(0.2235);
  expect(costOf(3, { price: 0.0745 })).toBe(0.2235);
});

test.each([
  [{ price: 7.5, currency: 'JPY' }, '¥7.5'],
  [{ price: 0.0745, currency: 'EUR' }, '€0.0745'],
  [{ price: 2, currency: 'EUR' }, '€2.00'],
])('writes the price %o as %s', (price, words) => expect(writePrice(price, 'en')).toBe(words));

test.each([
  ['0.075', 0.075],
  ['0,075', 0.075],
  [' 1000 ', 1000],
  ['0', null],
  ['1001', null],
  ['-1', null],
  ['1e3', null],
  ['', null],
])('parses the price %j as %j', (text, price) => expect(parsePrice(text)).toBe(price));
