import { describe, expect, test } from 'vitest';
import { LARGEST_LIMIT, LONGEST_DEBOUNCE, limitRefusals } from './limit-refusals.ts';

const fine = { lower: 2, upper: 8, clearLower: 3, clearUpper: 7, debounce: 0 };

describe('limits of a rule', () => {
  test.each([
    [{}, []],
    [{ debounce: LONGEST_DEBOUNCE }, []],
    [{ lower: null, clearLower: null }, []],
    [{ clearLower: 2, clearUpper: 8 }, []],
    [{ lower: null, upper: null, clearLower: null, clearUpper: null }, [['upper', 'no-limit']]],
    [
      { lower: 8 },
      [
        ['upper', 'limit-order'],
        ['clearLower', 'clear-lower'],
        ['clearUpper', 'clear-upper'],
      ],
    ],
    [{ lower: null }, [['clearLower', 'clear-lower']]],
    [{ upper: null }, [['clearUpper', 'clear-upper']]],
    [{ clearLower: 1 }, [['clearLower', 'clear-lower']]],
    [{ clearUpper: 9 }, [['clearUpper', 'clear-upper']]],
    [{ clearLower: 7, clearUpper: 3 }, [['clearUpper', 'clear-order']]],
    [{ upper: Number.NaN, clearUpper: null }, [['upper', 'limit-too-large']]],
    [{ lower: -2 * LARGEST_LIMIT }, [['lower', 'limit-too-large']]],
    [{ debounce: LONGEST_DEBOUNCE + 1 }, [['debounce', 'debounce']]],
    [{ debounce: 0.5 }, [['debounce', 'debounce']]],
    [{ debounce: -1 }, [['debounce', 'debounce']]],
  ])('%j are refused at %j', (change, expected) => {
    expect(limitRefusals({ ...fine, ...change }).map(({ field, code }) => [field, code])).toEqual(expected);
  });

  test.each([
    [{ lower: null }, 'Enter a lower limit first.'],
    [{ clearLower: 1 }, 'Enter a value between the limits.'],
    [{ upper: null, clearUpper: null, clearLower: 1 }, 'Enter the lower limit or a higher value.'],
    [{ lower: null, clearLower: null, clearUpper: 9 }, 'Enter the upper limit or a lower value.'],
  ])('the sentence for %j names the limit to correct', (change, sentence) => {
    expect(limitRefusals({ ...fine, ...change }).map((refusal) => refusal.sentence)).toEqual([sentence]);
  });
});
