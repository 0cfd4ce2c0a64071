import { expect, test } from 'vitest';
import { landingOf } from './landing.ts';

test.each([
  ['an owner', { level: 0, partnerAccount: false }, '/reports'],
  ['an operator', { level: 20, partnerAccount: false }, '/reports'],
  ['a partner account of manager level', { level: 5, partnerAccount: true }, '/admin/sites'],
  ['a partner account of operator level', { level: 20, partnerAccount: true }, '/reports'],
])('%s starts on a page they may open', (_who, actor, page) => expect(landingOf(actor, '/reports')).toBe(page));
