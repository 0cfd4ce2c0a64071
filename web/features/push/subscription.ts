/** The key a browser subscribes with, out of the text in which the server gives it. */
export function keyBytes(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

/** Whether a subscription was made with this key: one made with another would never be told anything. */
export function isMadeWith(key: Uint8Array, used: ArrayBuffer | null | undefined): boolean {
  if (!used) {
    return false;
  }
  const bytes = new Uint8Array(used);
  return bytes.length === key.length && bytes.every((byte, index) => byte === key[index]);
}

const browsers: readonly [RegExp, string][] = [
  [/\bEdg/, 'Edge'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'Mac'],
  [/Linux/, 'Linux'],
];

/** A device as a person would call it: `Chrome on Android`. */
export function deviceName(userAgent: string): string {
  const find = (names: typeof browsers) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [find(browsers) ?? 'Browser', find(systems)].filter(Boolean).join(' on ');
}
