import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';

export interface AddressRules {
  /** True if http and addresses of private networks are allowed (TOCSIN_WEBHOOK_PRIVATE). */
  allowPrivate: boolean;
}

export type UrlCheck = { ok: true; url: URL } | { ok: false; sentence: string };

const INVALID = 'Enter a complete URL, such as https://hooks.example.com/alarms.';
export const PRIVATE_SENTENCE =
  'This URL leads to an address of a private network or of this machine. Enter a public URL, or ask the administrator to set TOCSIN_WEBHOOK_PRIVATE.';

/**
 * Checks the parts of a URL, without resolving its name. `URL` converts every spelling of an IPv4 address to four
 * decimal numbers, such as 0x7f.1, 2130706433 and 0177.0.0.1.
 */
export function checkUrl(text: string, { allowPrivate }: AddressRules): UrlCheck {
  if (text.length > 2000) return { ok: false, sentence: 'Enter a URL of at most 2,000 characters.' };
  if (!URL.canParse(text.trim())) return { ok: false, sentence: INVALID };
  const url = new URL(text.trim());
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    return { ok: false, sentence: 'Enter a URL that starts with https://.' };
  }
  if (url.username !== '' || url.password !== '') {
    return { ok: false, sentence: 'Remove the user name and the password from the URL.' };
  }
  // A trailing dot is allowed in DNS. Without it, the name compares equal in certificates and in this check.
  url.hostname = url.hostname.replace(/\.+$/, '');
  if (url.hostname === '') return { ok: false, sentence: INVALID };
  url.hash = '';
  const literal = literalOf(url.hostname);
  if (!allowPrivate && (/(^|\.)localhost$/.test(url.hostname) || (literal !== undefined && !isPublic(literal)))) {
    return { ok: false, sentence: PRIVATE_SENTENCE };
  }
  return { ok: true, url };
}

/** Returns the IP address that a host name of a URL is; undefined if it is a name. */
export function literalOf(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? bare : undefined;
}

/**
 * Returns whether an address is on the public internet. Everything that is not plain unicast is refused: loopback,
 * private, link-local (with the metadata services of clouds), carrier-grade NAT, multicast, documentation and reserved
 * ranges, and IPv6 addresses that stand for IPv4 addresses behind a translator or a tunnel.
 */
export function isPublic(address: string): boolean {
  const bare = address.replace(/%.*$/, '');
  if (!ipaddr.isValid(bare)) return false;
  return ipaddr.process(bare).range() === 'unicast' && !isOldMapped(bare);
}

/** IPv4-compatible IPv6 addresses (::/96), which are deprecated but which some systems still connect to. */
function isOldMapped(address: string): boolean {
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv6 && parsed.match(ipaddr.IPv6.parse('::'), 96);
}

export type Resolution =
  | { ok: true; addresses: { address: string; family: number }[] }
  | { ok: false; because: 'private' | 'unknown' };

export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

const resolveAll: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/**
 * Resolves a host name and checks every address. Connect only to the returned addresses: another look-up could return
 * others (DNS rebinding).
 */
export async function resolveHost(
  hostname: string,
  { allowPrivate }: AddressRules,
  resolve: Resolve = resolveAll,
): Promise<Resolution> {
  const literal = literalOf(hostname);
  try {
    const found = await resolve(literal ?? hostname);
    if (found.length === 0) return { ok: false, because: 'unknown' };
    if (!allowPrivate && found.some(({ address }) => !isPublic(address))) return { ok: false, because: 'private' };
    return { ok: true, addresses: found };
  } catch {
    return { ok: false, because: 'unknown' };
  }
}
