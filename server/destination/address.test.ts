import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkUrl, isPublic, resolveHost } from './address.ts';

const rules = { allowPrivate: false };

/** First addresses of ranges that no webhook may reach, with the number of free bytes. */
const privateRanges: readonly (readonly [prefix: number[], name: string])[] = [
  [[127], 'loopback'],
  [[10], 'private'],
  [[192, 168], 'private'],
  [[172, 16], 'private'],
  [[169, 254], 'link-local, with the metadata services of clouds'],
  [[100, 64], 'carrier-grade NAT'],
  [[224], 'multicast'],
  [[240], 'reserved'],
  [[0], 'unspecified'],
];

const privateAddress = fc
  .tuple(fc.constantFrom(...privateRanges), fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 }))
  .map(([[prefix], rest]) => [...prefix, ...rest].slice(0, 4) as [number, number, number, number]);

const hex = (byte: number) => byte.toString(16).padStart(2, '0');

/** Spellings of one IPv4 address as the host of a URL. */
const spellings: readonly ((bytes: [number, number, number, number]) => string)[] = [
  (bytes) => bytes.join('.'),
  (bytes) => `${bytes.join('.')}.`,
  (bytes) => String(bytes.reduce((sum, byte) => sum * 256 + byte, 0)),
  (bytes) => `0x${bytes.map(hex).join('')}`,
  (bytes) => bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
  (bytes) => bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
  ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  (bytes) => `[::ffff:${bytes.join('.')}]`,
  ([a, b, c, d]) => `[::ffff:${hex(a)}${hex(b)}:${hex(c)}${hex(d)}]`,
  ([a, b, c, d]) => `[::${hex(a)}${hex(b)}:${hex(c)}${hex(d)}]`,
  ([a, b, c, d]) => `[64:ff9b::${hex(a)}${hex(b)}:${hex(c)}${hex(d)}]`,
  ([a, b, c, d]) => `[2002:${hex(a)}${hex(b)}:${hex(c)}${hex(d)}::1]`,
  (bytes) => bytes.join('.').replaceAll('.', '\u3002'),
];

test('no spelling of a private IPv4 address is accepted as a URL', () => {
  fc.assert(
    fc.property(
      privateAddress,
      fc.constantFrom(...spellings),
      fc.integer({ min: 1, max: 65535 }),
      (bytes, spell, port) => {
        const url = `https://${spell(bytes)}:${port}/hook`;
        expect(checkUrl(url, rules), url).toMatchObject({ ok: false });
      },
    ),
    { numRuns: 2000 },
  );
});

test.each([
  ['https://[::1]/', 'loopback'],
  ['https://[fe80::1]/', 'link-local'],
  ['https://[fc00::1]/', 'private'],
  ['https://[ff02::1]/', 'multicast'],
  ['https://[::]/', 'unspecified'],
  ['https://localhost/', 'a name of this machine'],
  ['https://LOCALHOST./', 'the same with a trailing dot'],
  ['https://api.localhost../', 'a name below it'],
])('refuses %s: %s', (url) => {
  expect(checkUrl(url, rules)).toEqual({ ok: false, sentence: expect.stringContaining('private network') });
});

test.each([
  ['hooks.example.com/x', 'Enter a complete URL'],
  ['http://hooks.example.com/', 'https://'],
  ['ftp://hooks.example.com/', 'https://'],
  ['file:///etc/passwd', 'https://'],
  ['https://user@hooks.example.com/', 'user name'],
  ['https://hooks.example.com@127.0.0.1/', 'user name'],
  ['https://:word@hooks.example.com/', 'user name'],
  [`https://hooks.example.com/${'x'.repeat(2000)}`, 'at most 2,000'],
  ['', 'Enter a complete URL'],
])('refuses %s with an instruction', (url, words) => {
  expect(checkUrl(url, rules)).toEqual({ ok: false, sentence: expect.stringContaining(words) });
});

test('accepts a public host and removes its trailing dot and the fragment', () => {
  const checked = checkUrl(' https://Hooks.Example.com./a?b=c#d ', rules);
  expect(checked.ok && checked.url.href).toBe('https://hooks.example.com/a?b=c');
});

test('allows http and private addresses with the setting', () => {
  for (const url of ['http://127.0.0.1:8080/', 'https://localhost/', 'http://10.1.2.3/']) {
    expect(checkUrl(url, { allowPrivate: true })).toMatchObject({ ok: true });
  }
});

describe('the addresses of a name', () => {
  const answers =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

  test('are refused if one of them is private', async () => {
    const found = await resolveHost('hooks.example.com', rules, answers('93.184.215.14', '10.0.0.1'));
    expect(found).toEqual({ ok: false, because: 'private' });
  });

  test.each(['::ffff:127.0.0.1', '::1', 'fe80::1%eth0', '169.254.169.254', 'fd00:ec2::254', 'no address'])(
    'are refused as %s',
    async (address) => {
      expect(isPublic(address)).toBe(false);
      expect(await resolveHost('hooks.example.com', rules, answers(address))).toMatchObject({ ok: false });
    },
  );

  test('are returned if all are public', async () => {
    const found = await resolveHost('hooks.example.com', rules, answers('93.184.215.14', '2606:2800:21f:cb07::1'));
    expect(found).toMatchObject({ ok: true, addresses: [{ family: 4 }, { family: 6 }] });
  });

  test('are unknown if the name does not resolve', async () => {
    const fails = async () => {
      throw new Error('ENOTFOUND');
    };
    expect(await resolveHost('hooks.example.com', rules, fails)).toEqual({ ok: false, because: 'unknown' });
    expect(await resolveHost('hooks.example.com', rules, answers())).toEqual({ ok: false, because: 'unknown' });
  });
});
