import { describe, expect, test } from 'vitest';
import { checkPassword, PASSWORD_LENGTH } from './password.ts';

const owner = { email: 'Vera.Long@plant.example', username: 'vera-the-operator', current: 'the-old-password' };

describe('a password', () => {
  test.each([
    ['nine chars', 'too-short', 'abcdefghi'],
    ['nothing', 'too-short', ''],
    ['201 characters', 'too-long', `${'ab'.repeat(100)}c`],
    ['a NUL in it', 'not-text', 'abcdefghij\0'],
    ['one character repeated', 'one-character', 'zzzzzzzzzzzz'],
    ['one emoji repeated', 'one-character', '🔔'.repeat(12)],
    ['the e-mail address', 'same-as-email', 'vera.long@PLANT.example'],
    ['the user name with spaces around', 'same-as-username', ' Vera-The-Operator '],
    ['the current password', 'unchanged', 'the-old-password'],
  ])('that is %s is refused: %s', (_what, because, password) => {
    const verdict = checkPassword(password, owner);
    expect(verdict).toMatchObject({ ok: false, because });
    expect(verdict.ok === false && verdict.sentence).toMatch(/^The .*\.$/);
  });

  test.each([
    ['exactly the least', 'a'.repeat(PASSWORD_LENGTH.least - 1).concat('b')],
    ['exactly the most', 'a'.repeat(PASSWORD_LENGTH.most - 1).concat('b')],
    ['ten emoji, which are twenty UTF-16 units', '🔔🔕🔔🔕🔔🔕🔔🔕🔔🔕'],
    ['200 emoji', '🔔🔕'.repeat(100)],
    ['words with spaces', 'correct horse battery'],
    ['longer than the e-mail address', 'vera.long@plant.example!'],
  ])('of %s is accepted', (_what, password) => {
    expect(checkPassword(password, owner)).toEqual({ ok: true });
  });

  test('is checked only against the given user data', () => {
    expect(checkPassword('vera.long@plant.example')).toEqual({ ok: true });
  });
});
