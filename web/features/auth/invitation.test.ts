import { describe, expect, test } from 'vitest';
import { invitationOf, parseInvitation } from './invitation.ts';

const uuid = '6f1c2a34-0000-4000-8000-000000000001';

describe('an invitation', () => {
  test('is parsed from the whole link, at any address', () => {
    const link = ` https://plant.example/auth/activation?uuid=${uuid}&code=aB-3_x\n`;
    expect(parseInvitation(link)).toEqual({ uuid, code: 'aB-3_x' });
  });

  test('is parsed from the end of a link', () => {
    expect(parseInvitation(`?uuid=${uuid}&code=012345`)).toEqual({ uuid, code: '012345' });
  });

  test.each([
    '',
    '012345',
    'https://plant.example/auth/activation',
    `?uuid=${uuid}`,
    '?code=1',
    'http://[',
    '?uuid=&code=',
  ])('is null for %j, which has no user and code', (text) => expect(parseInvitation(text)).toBeNull());

  test('requires both parts as text', () => {
    expect(invitationOf({ uuid, code: 12 })).toBeNull();
    expect(invitationOf({})).toBeNull();
  });
});
