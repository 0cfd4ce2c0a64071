import { describe, expect, test } from 'vitest';
import { beginAs, StatementNames } from './database.ts';

describe('the statement that begins a transaction', () => {
  test('is one message that sets the role first and quotes every value', () => {
    expect(beginAs({ role: 'clerk', settings: { 'app.user': "o'hara", 'app.now': 'x' } })).toBe(
      "begin; select set_config('role', 'clerk', true), set_config('app.user', 'o''hara', true), set_config('app.now', 'x', true)",
    );
  });

  test('refuses settings that could undo the role', () => {
    for (const name of ['role', 'session_authorization', 'row_security']) {
      expect(() => beginAs({ role: 'clerk', settings: { [name]: 'none' } })).toThrow('has no prefix');
    }
  });
});

describe('names of prepared statements', () => {
  test('are assigned on the third use of a text and stay', () => {
    const names = new StatementNames(2);
    expect([names.of('a'), names.of('a'), names.of('a'), names.of('a')]).toEqual([
      undefined,
      undefined,
      'tocsin_1',
      'tocsin_1',
    ]);
  });

  test('stay below the limit, and texts used once are forgotten', () => {
    const names = new StatementNames(2);
    for (let number = 0; number < 100; number += 1) expect(names.of(`once ${number}`)).toBeUndefined();
    const often = ['a', 'b', 'c'].map((text) => [1, 2, 3].map(() => names.of(text)).at(-1));
    expect(often).toEqual(['tocsin_1', 'tocsin_2', undefined]);
  });
});
