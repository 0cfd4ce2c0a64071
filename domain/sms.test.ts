import { describe, expect, test } from 'vitest';
import { smsParts } from './sms.ts';

const gsmLetters =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

describe('GSM 03.38', () => {
  test('has 127 letters of one septet, which is the whole table without the escape', () => {
    expect(gsmLetters.length).toBe(127);
    expect(new Set(gsmLetters).size).toBe(127);
    for (const letter of gsmLetters) expect(smsParts(letter), letter).toEqual({ encoding: 'gsm', units: 1, parts: 1 });
  });

  test('has ten letters of two septets', () => {
    for (const letter of '€[]{}~^|\\\f')
      expect(smsParts(letter), letter).toEqual({ encoding: 'gsm', units: 2, parts: 1 });
  });

  test.each([
    [0, 1],
    [1, 1],
    [160, 1],
    [161, 2],
    [306, 2],
    [307, 3],
    [459, 3],
    [460, 4],
  ])('%i plain letters are %i parts', (length, parts) => {
    expect(smsParts('a'.repeat(length))).toEqual({ encoding: 'gsm', units: length, parts });
  });

  test('an escaped letter that fits a message alone to the last septet does not split it', () => {
    expect(smsParts(`${'a'.repeat(158)}€`)).toEqual({ encoding: 'gsm', units: 160, parts: 1 });
    expect(smsParts(`${'a'.repeat(159)}€`)).toEqual({ encoding: 'gsm', units: 161, parts: 2 });
    expect(smsParts('€'.repeat(80)).parts).toBe(1);
    expect(smsParts('€'.repeat(81)).parts).toBe(2);
  });

  test('an escaped letter is not cut between parts, so a part stays one septet short', () => {
    // 306 septets would fill two parts exactly; the letter on the border moves on, and a third part is needed.
    const straight = `${'a'.repeat(151)}€${'a'.repeat(153)}`;
    const across = `${'a'.repeat(152)}€${'a'.repeat(152)}`;
    expect(smsParts(straight)).toEqual({ encoding: 'gsm', units: 306, parts: 2 });
    expect(smsParts(across)).toEqual({ encoding: 'gsm', units: 306, parts: 3 });
    // 153 is odd: each part holds 76 escaped letters.
    expect(smsParts('€'.repeat(152)).parts).toBe(2);
    expect(smsParts('€'.repeat(153)).parts).toBe(3);
  });
});

describe('UCS-2', () => {
  test.each([
    [70, 1],
    [71, 2],
    [134, 2],
    [135, 3],
    [201, 3],
    [202, 4],
  ])('%i letters outside GSM 03.38 are %i parts', (length, parts) => {
    expect(smsParts('ж'.repeat(length))).toEqual({ encoding: 'ucs2', units: length, parts });
  });

  test('one letter turns the whole message', () => {
    expect(smsParts('a'.repeat(160)).parts).toBe(1);
    expect(smsParts(`${'a'.repeat(159)}ж`)).toEqual({ encoding: 'ucs2', units: 160, parts: 3 });
  });

  test('letters that look like the table but are not in it', () => {
    for (const letter of ['°', '³', '−', '’', 'ç', 'á', '`', '\t', '\u001b', '\u00a0', 'ẞ', '–']) {
      expect(smsParts(letter).encoding, letter).toBe('ucs2');
    }
  });

  test('an escaped letter of GSM 03.38 is one unit here', () => {
    expect(smsParts('€ж')).toEqual({ encoding: 'ucs2', units: 2, parts: 1 });
  });

  test('a surrogate pair is two units and is not cut between parts', () => {
    expect(smsParts('🚨')).toEqual({ encoding: 'ucs2', units: 2, parts: 1 });
    expect(smsParts('🚨'.repeat(35))).toEqual({ encoding: 'ucs2', units: 70, parts: 1 });
    // 67 is odd: each part holds 33 pairs.
    expect(smsParts('🚨'.repeat(66)).parts).toBe(2);
    expect(smsParts('🚨'.repeat(67))).toEqual({ encoding: 'ucs2', units: 134, parts: 3 });
    expect(smsParts(`a${'🚨'.repeat(66)}a`)).toEqual({ encoding: 'ucs2', units: 134, parts: 2 });
  });

  test('half a pair, as broken text may hold it, counts as one unit', () => {
    expect(smsParts('\ud83d')).toEqual({ encoding: 'ucs2', units: 1, parts: 1 });
  });
});

test('the message of the rule editor is one part', () => {
  expect(smsParts('Kelder Road PS: Level is 4.62 m, limit 4.20 m at 14:06')).toEqual({
    encoding: 'gsm',
    units: 54,
    parts: 1,
  });
});
