import { describe, expect, test } from 'vitest';
import { smsSegments } from './sms.ts';

const gsmLetters =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

describe('GSM 03.38', () => {
  test('has 127 characters of one septet: the basic table without the escape character', () => {
    expect(gsmLetters.length).toBe(127);
    expect(new Set(gsmLetters).size).toBe(127);
    for (const letter of gsmLetters)
      expect(smsSegments(letter), letter).toEqual({ encoding: 'gsm', units: 1, segments: 1 });
  });

  test('has ten characters of two septets', () => {
    for (const letter of '€[]{}~^|\\\f')
      expect(smsSegments(letter), letter).toEqual({ encoding: 'gsm', units: 2, segments: 1 });
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
  ])('splits %i plain characters into %i segments', (length, segments) => {
    expect(smsSegments('a'.repeat(length))).toEqual({ encoding: 'gsm', units: length, segments });
  });

  test('keeps an escaped character in a single segment if it fits exactly', () => {
    expect(smsSegments(`${'a'.repeat(158)}€`)).toEqual({ encoding: 'gsm', units: 160, segments: 1 });
    expect(smsSegments(`${'a'.repeat(159)}€`)).toEqual({ encoding: 'gsm', units: 161, segments: 2 });
    expect(smsSegments('€'.repeat(80)).segments).toBe(1);
    expect(smsSegments('€'.repeat(81)).segments).toBe(2);
  });

  test('moves an escaped character to the next segment instead of splitting it', () => {
    // 306 septets would fill two segments exactly. The two-septet character at the boundary moves to the next segment,
    // so a third segment is needed.
    const straight = `${'a'.repeat(151)}€${'a'.repeat(153)}`;
    const across = `${'a'.repeat(152)}€${'a'.repeat(152)}`;
    expect(smsSegments(straight)).toEqual({ encoding: 'gsm', units: 306, segments: 2 });
    expect(smsSegments(across)).toEqual({ encoding: 'gsm', units: 306, segments: 3 });
    // A segment has 153 septets, an odd number, so it holds 76 escaped characters.
    expect(smsSegments('€'.repeat(152)).segments).toBe(2);
    expect(smsSegments('€'.repeat(153)).segments).toBe(3);
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
  ])('splits %i characters outside GSM 03.38 into %i segments', (length, segments) => {
    expect(smsSegments('ж'.repeat(length))).toEqual({ encoding: 'ucs2', units: length, segments });
  });

  test('is used for the whole message if one character is outside GSM 03.38', () => {
    expect(smsSegments('a'.repeat(160)).segments).toBe(1);
    expect(smsSegments(`${'a'.repeat(159)}ж`)).toEqual({ encoding: 'ucs2', units: 160, segments: 3 });
  });

  test('encodes characters that only look like GSM characters', () => {
    for (const letter of ['°', '³', '−', '’', 'ç', 'á', '`', '\t', '\u001b', '\u00a0', 'ẞ', '–']) {
      expect(smsSegments(letter).encoding, letter).toBe('ucs2');
    }
  });

  test('counts an escaped GSM character as one unit', () => {
    expect(smsSegments('€ж')).toEqual({ encoding: 'ucs2', units: 2, segments: 1 });
  });

  test('counts a surrogate pair as two units and does not split it', () => {
    expect(smsSegments('🚨')).toEqual({ encoding: 'ucs2', units: 2, segments: 1 });
    expect(smsSegments('🚨'.repeat(35))).toEqual({ encoding: 'ucs2', units: 70, segments: 1 });
    // A segment has 67 units, an odd number, so it holds 33 surrogate pairs.
    expect(smsSegments('🚨'.repeat(66)).segments).toBe(2);
    expect(smsSegments('🚨'.repeat(67))).toEqual({ encoding: 'ucs2', units: 134, segments: 3 });
    expect(smsSegments(`a${'🚨'.repeat(66)}a`)).toEqual({ encoding: 'ucs2', units: 134, segments: 2 });
  });

  test('counts a lone surrogate as one unit', () => {
    expect(smsSegments('\ud83d')).toEqual({ encoding: 'ucs2', units: 1, segments: 1 });
  });
});

test('the default message of the rule editor fits into one segment', () => {
  expect(smsSegments('Kelder Road PS: Level is 4.62 m, limit 4.20 m at 14:06')).toEqual({
    encoding: 'gsm',
    units: 54,
    segments: 1,
  });
});
