/** Phone numbers as people write them. They test the rules in domain/ and the same rules in the database. */

/** Pairs of phone numbers: the number as people write it, and the number that is dialled. */
export const dialled: readonly [written: string, number: string][] = [
  ['+491701234567', '+491701234567'],
  ['+49 170 / 123-45.67', '+491701234567'],
  ['0049 (170) 1234567', '+491701234567'],
  ['+49 (0)170 1234567', '+491701234567'],
  ['[+49] 170 1234567', '+491701234567'],
  ['+1234567', '+1234567'],
  ['+123456789012345', '+123456789012345'],
  ['\u202A+44\u00A07700\u2011900001\u202C', '+447700900001'],
];

export const notDialled: readonly string[] = [
  '',
  ' ',
  '+',
  '0170 1234567',
  '170 1234567',
  '+0491701234567',
  '+12345',
  '+123456',
  '+1234567890123456',
  '+49 170 CALLME',
  '+49 170 1234567 ext 5',
  '++491701234567',
  '49+1701234567',
  '12ab',
];
