import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answer, LETTERS, parseAnswer } from './answer.ts';

describe('an answer', () => {
  test.each<[string, Answer]>([
    ['1', { kind: 'acknowledge', command: '1', note: '' }],
    [' 1. ', { kind: 'acknowledge', command: '1', note: '' }],
    ['"1"', { kind: 'acknowledge', command: '1', note: '' }],
    ['1️⃣', { kind: 'acknowledge', command: '1', note: '' }],
    ['\u202B١\u202C', { kind: 'acknowledge', command: '1', note: '' }],
    ['1 on my way', { kind: 'acknowledge', command: '1', note: 'on my way' }],
    ['1 b', { kind: 'acknowledge', command: '1', letter: 'B', note: '' }],
    ['1B, on my way', { kind: 'acknowledge', command: '1', letter: 'B', note: 'on my way' }],
    ['1 because of rain', { kind: 'acknowledge', command: '1', note: 'because of rain' }],
    ['3', { kind: 'reason', number: 3, command: '3', note: '' }],
    ['12 A', { kind: 'reason', number: 12, command: '12', letter: 'A', note: '' }],
    ['2 30', { kind: 'snooze', minutes: 30, command: '2 30', note: '' }],
    ['2, 30 min!', { kind: 'snooze', minutes: 30, command: '2 30', note: '' }],
    ['2 1h B later', { kind: 'snooze', minutes: 60, command: '2 60', letter: 'B', note: 'later' }],
    ['२ ३०', { kind: 'snooze', minutes: 30, command: '2 30', note: '' }],
    ['2', { kind: 'unclear', because: 'no-minutes' }],
    ['2 999999h', { kind: 'unclear', because: 'no-minutes' }],
    ['2 0', { kind: 'unclear', because: 'no-minutes' }],
    ['2 1.5 h', { kind: 'unclear', because: 'no-minutes' }],
    ['2 people on the way', { kind: 'unclear', because: 'no-minutes' }],
  ])('%j is understood', (text, answer) => expect(parseAnswer(text)).toEqual(answer));

  test.each(['', ' ', 'ok', 'A 1', '0', '1st floor', '1.5', '-1', '1234567', 'STOP', '👍'])(
    '%j is unclear, because it does not start with a number',
    (text) => expect(parseAnswer(text)).toEqual({ kind: 'unclear', because: 'no-number' }),
  );

  /** Zeros of scripts: ASCII, Arabic, Persian, Devanagari, Bengali, full width, mathematical bold. */
  const zeros = ['0', '٠', '۰', '०', '০', '０', '𝟎'].map((zero) => zero.codePointAt(0) as number);
  const inScript = (text: string, zero: number) =>
    text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
  const spaces = fc.stringMatching(/^[ \t\n\u00a0\u200b\u200f\u2009]{0,4}$/);
  const between = spaces.map((text) => ` ${text}`);

  test('means the same with any digits, spaces, case and text after it', () => {
    const note = fc.constantFrom('', 'on my way', 'ok', 'Ich komme');
    fc.assert(
      fc.property(
        fc.oneof(
          fc
            .integer({ min: 1, max: 999_999 })
            .filter((number) => number !== 2)
            .map((number) => [number]),
          fc.integer({ min: 1, max: 999_999 }).map((minutes) => [2, minutes]),
        ),
        fc.option(fc.constantFrom(...LETTERS), { nil: undefined }),
        fc.record({
          note,
          zero: fc.constantFrom(...zeros),
          before: spaces,
          between,
          after: spaces,
          lower: fc.boolean(),
        }),
        (numbers, letter, { note, zero, before, between, after, lower }) => {
          const words = [...numbers.map(String), ...(letter ? [letter] : []), ...(note ? [note] : [])];
          const said = before + words.join(between) + after;
          const answer = parseAnswer(inScript(lower ? said.toLowerCase() : said, zero));
          const [number, minutes] = numbers;
          expect(answer).toEqual({
            ...(minutes === undefined
              ? number === 1
                ? { kind: 'acknowledge' }
                : { kind: 'reason', number }
              : { kind: 'snooze', minutes }),
            command: numbers.join(' '),
            ...(letter && { letter }),
            note: lower ? note.toLowerCase() : note,
          });
        },
      ),
    );
  });

  test('is understood or unclear for every text, and never acknowledges a text without a digit', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('1', '2', ' ', 'A', '.', '٣', 'x') }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const answer = parseAnswer(text);
        if (!/\p{Nd}/u.test(text.normalize('NFKC'))) expect(answer.kind).toBe('unclear');
        if (answer.kind === 'snooze') expect(answer.minutes).toBeGreaterThan(0);
        if (answer.kind !== 'unclear')
          expect(parseAnswer(answer.command)).toMatchObject({ kind: answer.kind, note: '' });
      }),
    );
  });
});
