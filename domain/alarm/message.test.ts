import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  defaultTemplate,
  hasValuePlaceholder,
  limitText,
  longestMessage,
  type MessageFacts,
  placeholders,
  renderMessage,
  unknownPlaceholders,
  unknownPlaceholderWords,
  valuePlaceholders,
} from './message.ts';

const facts: MessageFacts = {
  site: 'Northmere 4',
  asset: 'Cold store',
  datapoint: 'Temperature',
  value: 9.25,
  limit: 'below 2 or above 8 °C',
  unit: '°C',
  time: new Date('2026-11-15T07:20:59Z'),
  timeZone: 'Europe/Berlin',
};
const nothing: MessageFacts = { ...facts, site: '', asset: '', datapoint: '', value: null, limit: '', unit: '' };

describe('a message', () => {
  test('has every fact in its place', () => {
    expect(renderMessage('{site}/{asset}/{datapoint}: {value} {unit}, {limit}, {time}', facts)).toBe(
      'Northmere 4/Cold store/Temperature: 9.25 °C, below 2 or above 8 °C, 2026-11-15 08:20',
    );
  });

  test('uses a default with the same text for the same cause', () => {
    expect(renderMessage(defaultTemplate.alarm, facts)).toBe(
      'Northmere 4: Cold store Temperature is 9.25 °C (alarm below 2 or above 8 °C)',
    );
    expect(renderMessage(defaultTemplate.silence, facts)).toBe('Northmere 4: no sensor sends data');
    const later = { ...facts, time: new Date('2026-11-15T09:00:00Z') };
    expect(renderMessage(defaultTemplate.alarm, later)).toBe(renderMessage(defaultTemplate.alarm, facts));
    expect(unknownPlaceholders(defaultTemplate.alarm + defaultTemplate.silence)).toEqual([]);
  });

  test('leaves no gap for a missing fact', () => {
    expect(renderMessage('Level {value} {unit}, too high', { ...facts, unit: '' })).toBe('Level 9.25, too high');
    expect(renderMessage('Level {value} {unit} and the pump stands', nothing)).toBe('Level and the pump stands');
    expect(renderMessage('{value}', nothing)).toBe('');
  });

  test('keeps unknown placeholders and other brackets as written', () => {
    expect(renderMessage('{Site} {colour} { site } {} {{site}} 100 %', facts)).toBe(
      '{Site} {colour} { site } {} {Northmere 4} 100 %',
    );
    expect(renderMessage('{constructor} {toString}', facts)).toBe('{constructor} {toString}');
  });

  test('does not expand facts as templates', () => {
    expect(renderMessage('{site} {value}', { ...facts, site: '{value} $& {unit}' })).toBe('{value} $& {unit} 9.25');
  });

  test('replaces line breaks and control characters with spaces', () => {
    expect(renderMessage('one\r\ntwo\u0007{site}\u2028end\u0000', { ...facts, site: 'a\tb' })).toBe('one two a b end');
    expect(renderMessage('half \ud83d letter', facts)).toBe('half \ufffd letter');
  });

  test.each([
    ['2026-03-29T00:59:00Z', 'Europe/Berlin', '2026-03-29 01:59'],
    ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29 03:00'],
    ['2026-12-31T23:30:00Z', 'Asia/Kathmandu', '2027-01-01 05:15'],
    ['2026-01-01T00:00:00Z', 'UTC', '2026-01-01 00:00'],
    ['2026-01-01T00:00:00Z', 'Mars/Olympus', '2026-01-01 00:00 UTC'],
  ])('writes %s in %s as %s', (time, timeZone, text) => {
    expect(renderMessage('{time}', { ...facts, time: new Date(time), timeZone })).toBe(text);
  });

  test('is truncated between graphemes', () => {
    const site = 'x'.repeat(598);
    expect(renderMessage('{site}', { ...facts, site: `${site}ab` })).toBe(`${site}ab`);
    expect(renderMessage('{site}', { ...facts, site: `${site}abc` })).toBe(`${site}a…`);
    // Each grapheme straddles the position where the text is cut: a surrogate pair, a letter with a combining mark, and
    // an emoji sequence.
    for (const letter of ['😀', 'e\u0301', '👩‍🔧']) {
      expect(renderMessage('{site}', { ...facts, site: `${site}${letter}abc` })).toBe(`${site}…`);
    }
    expect(renderMessage('{site}', { ...facts, site: `${'x'.repeat(590)} ${'y'.repeat(7)} tail` })).toMatch(/y…$/);
  });

  test('is one storable line of bounded length for any input', () => {
    const text = fc.string({ unit: 'binary', maxLength: 700 });
    fc.assert(
      fc.property(text, text, (template, site) => {
        const message = renderMessage(`${template}{site}`, { ...facts, site });
        expect(message.length).toBeLessThanOrEqual(longestMessage);
        expect(message).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(message.isWellFormed()).toBe(true);
      }),
      { numRuns: 40 },
    );
    const heap = renderMessage(`e${'\u0301'.repeat(2000)}`, facts);
    expect(heap.length).toBeLessThanOrEqual(longestMessage);
  });
});

describe('help for the author of a template', () => {
  test('describes and fills every placeholder', () => {
    for (const { name, description } of placeholders) {
      expect(description).not.toBe('');
      expect(renderMessage(`{${name}}`, facts)).not.toMatch(/^\{|^$/);
    }
  });

  test('names each unknown placeholder once', () => {
    expect(unknownPlaceholders('{site} {Site} {valeu} {valeu} {{unit}} {alarm time} {} { } {')).toEqual([
      'Site',
      'valeu',
      'alarm time',
    ]);
  });

  test.each([
    [2, 8, '°C', 'below 2 or above 8 °C'],
    [null, 8.5, 'bar', 'above 8.5 bar'],
    [-1, null, '', 'below -1'],
    [null, null, 'bar', ''],
  ])('writes limits %s and %s in %j as %s', (lower, upper, unit, text) => {
    expect(limitText(lower, upper, unit)).toBe(text);
  });
});

test('recognises placeholders that refer to a single value', () => {
  const ones = placeholders.filter(({ name }) => hasValuePlaceholder(`Look: {${name}}`)).map(({ name }) => name);
  expect(ones).toEqual(['asset', 'datapoint', 'value', 'limit', 'unit']);
  expect(hasValuePlaceholder('The value is out')).toBe(false);
  expect(valuePlaceholders('{site}: {value} {unit}, {value}')).toEqual(['{value}', '{unit}']);
});

test('lists the known placeholders for an unknown one', () => {
  expect(unknownPlaceholderWords('{site} is {value}')).toBe('');
  expect(unknownPlaceholderWords('{who} at {site}')).toBe(
    '{who} is not a placeholder. Use {site}, {asset}, {datapoint}, {value}, {limit}, {unit} and {time}.',
  );
  expect(unknownPlaceholderWords('{who} {when}')).toMatch(/^\{who\}, \{when\} are not placeholders\. /);
});
