import { describe, expect, test } from 'vitest';
import { base64 } from './base64.ts';

const decode = (text: string) => new TextDecoder().decode(Uint8Array.from(atob(text), (char) => char.charCodeAt(0)));

describe('a password in a request', () => {
  test.each(['', 'a', 'tocsin-demo-plant', 'Grüße, 東京 🔔', '\u0000\u00ff'])(
    '%j is unchanged after decoding',
    (text) => {
      expect(decode(base64(text))).toBe(text);
    },
  );

  test('is standard base64 with padding, not base64url', () => {
    expect(base64('ÿþ?>')).toBe('w7/Dvj8+');
    expect(base64('a')).toBe('YQ==');
  });
});
