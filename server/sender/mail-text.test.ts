import { expect, test } from 'vitest';
import { composeMail } from './mail-text.ts';

test('writes the same mail as plain text and as HTML with everything escaped', () => {
  const mail = composeMail('North & "South"\r\nBcc: everybody@plant.example', [
    'Hello <script>alert(1)</script>,',
    { code: '012345' },
    { link: 'https://console.example/?a=1&b="2"', title: "It's here" },
  ]);
  expect(mail.subject).toBe('North & "South" Bcc: everybody@plant.example');
  expect(mail.text).toBe('Hello <script>alert(1)</script>,\n\n    012345\n\nhttps://console.example/?a=1&b="2"\n');
  expect(mail.html).toContain('<p>Hello &#60;script&#62;alert(1)&#60;/script&#62;,</p>');
  expect(mail.html).toContain('<a href="https://console.example/?a=1&#38;b=&#34;2&#34;">It&#39;s here</a>');
  expect(mail.html).not.toContain('<script>');
});
