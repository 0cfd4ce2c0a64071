import { expect, test } from 'vitest';
import { isCommonPassword } from './common-password.ts';

test.each(['password12', 'Password2026', 'QWERTYUIOP', '1234567890', 'welcome12345', 'letmein123!', ' iloveyou99 '])(
  '%s is a common password',
  async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  },
);

test.each(['tocsin-demo-plant', 'correct horse battery', 'x9-4471930265', '🔔🔕🔔🔕🔔🔕🔔🔕🔔🔕', '8350172946'])(
  '%s is not a common password',
  async (password) => {
    expect(await isCommonPassword(password)).toBe(false);
  },
);
