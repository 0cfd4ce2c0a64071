import type { UnverifiedUser } from '../../api/auth.ts';

// Session storage keeps the user, so that the verification page can be reloaded.
const KEY = 'tocsin-unverified';

/** Returns the user contained in a refused login; null if there is none. */
export function readUnverified(body: unknown): UnverifiedUser | null {
  const user = field(body, 'user');
  const uuid = field(user, 'uuid');
  const email = field(user, 'email');
  if (typeof uuid !== 'string' || typeof email !== 'string') {
    return null;
  }
  return { uuid, email, username: text(user, 'username', email), display_name: text(user, 'display_name', email) };
}

export function rememberUnverified(user: UnverifiedUser): void {
  sessionStorage.setItem(KEY, JSON.stringify(user));
}

export function recallUnverified(): UnverifiedUser | null {
  try {
    return readUnverified({ user: JSON.parse(sessionStorage.getItem(KEY) ?? 'null') });
  } catch {
    return null;
  }
}

export function forgetUnverified(): void {
  sessionStorage.removeItem(KEY);
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function text(value: unknown, name: string, otherwise: string): string {
  const found = field(value, name);
  return typeof found === 'string' ? found : otherwise;
}
