import { METHOD, type MethodType, methodNames } from './methods.ts';
import { readPhoneNumber } from './phone-number.ts';

export interface Person {
  uuid: string;
  name: string;
  active: boolean;
  /**
   * True if the e-mail address is verified. Verification is required only for sign-in; an unverified recipient is also
   * notified.
   */
  varified: boolean;
  email: string;
  phone: string;
  /** Push addresses of the browsers and apps on which the person has subscribed to push. */
  pushAddresses: readonly string[];
  wants: { email: boolean; sms: boolean; whatsapp: boolean; push: boolean };
}

export type SkipReason = 'disabled' | 'no-channel-on' | 'no-address' | 'bad-address';

export interface MethodAddress {
  method: MethodType;
  address: string;
}

export interface SkippedMethod {
  /** The method to which the reason applies; undefined if it applies to the person as a whole. */
  method: MethodType | undefined;
  because: SkipReason;
  sentence: string;
}

export interface Addresses {
  methods: MethodAddress[];
  skipped: SkippedMethod[];
}

/**
 * Returns the addresses of a person for each enabled method. For an enabled method without a usable address, returns
 * the reason.
 */
export function addressesOf(person: Person): Addresses {
  const { name, active, wants } = person;
  if (!active) {
    return unreachable(
      'disabled',
      `${name} is not notified: the account is disabled. Enable it, or choose someone else.`,
    );
  }
  const found: Addresses = { methods: [], skipped: [] };
  if (wants.email) add(found, person, METHOD.email, emailOf(person));
  if (wants.whatsapp) add(found, person, METHOD.whatsapp, phoneOf(person));
  if (wants.sms) add(found, person, METHOD.sms, phoneOf(person));
  if (wants.push) add(found, person, METHOD.push, pushOf(person));
  if (found.methods.length + found.skipped.length === 0) {
    return unreachable('no-channel-on', `${name} is not notified: every method is off in their profile.`);
  }
  return found;
}

export type UnreachableBecause = 'gone' | 'disabled' | 'no-method' | 'no-address';

/**
 * Returns why no notification can reach a person; null if the person is reachable. `tocsin_definer.unreachable_because`
 * implements the same rule in SQL.
 */
export function unreachableBecause(person: Person): UnreachableBecause | null {
  const { methods, skipped } = addressesOf(person);
  if (methods.length > 0) return null;
  if (skipped.some(({ because }) => because === 'disabled')) return 'disabled';
  return skipped.some(({ because }) => because === 'no-channel-on') ? 'no-method' : 'no-address';
}

/** Notes shown next to the name of an unreachable person. */
export const unreachableWords: Readonly<Record<UnreachableBecause, string>> = {
  gone: 'Deleted. Receives no notifications.',
  disabled: 'Disabled. Receives no notifications.',
  'no-method': 'Receives no notifications: every method is switched off.',
  'no-address': 'Receives no notifications: the profile has no usable address or phone number.',
};

function unreachable(because: SkipReason, sentence: string): Addresses {
  return { methods: [], skipped: [{ method: undefined, because, sentence }] };
}

type Found = { addresses: string[] } | { because: 'no-address' | 'bad-address'; cause: string };

function add(found: Addresses, { name }: Person, method: MethodType, result: Found): void {
  if ('addresses' in result) {
    for (const address of result.addresses) found.methods.push({ method, address });
    return;
  }
  const { because, cause } = result;
  found.skipped.push({ method, because, sentence: `${name} is not notified by ${methodNames[method]}: ${cause}` });
}

function emailOf({ email }: Person): Found {
  const address = email.trim();
  if (address === '') {
    return { because: 'no-address', cause: 'their profile has no e-mail address. Add one.' };
  }
  if (!/^[^@\s<>]+@[^@\s<>]+$/.test(address)) {
    return { because: 'bad-address', cause: `"${address}" is not an e-mail address. Correct it in their profile.` };
  }
  return { addresses: [address] };
}

function phoneOf({ phone }: Person): Found {
  if (phone.trim() === '') {
    return { because: 'no-address', cause: 'their profile has no phone number. Add one.' };
  }
  const address = readPhoneNumber(phone);
  if (address !== undefined) return { addresses: [address] };
  const cause = `"${phone.trim()}" is not a phone number with a country code. Enter a number such as +44 20 7946 0123.`;
  return { because: 'bad-address', cause };
}

function pushOf({ pushAddresses }: Person): Found {
  const addresses = [...new Set(pushAddresses.filter((address) => address !== ''))];
  if (addresses.length > 0) return { addresses };
  const cause =
    'it is not turned on for any of their devices. If app push is set up, they can turn it on in the user menu of each device.';
  return { because: 'no-address', cause };
}
