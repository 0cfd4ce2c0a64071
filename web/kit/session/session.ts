import type { AuthUser } from '../../../domain/auth-user.ts';
import * as auth from '../../api/auth.ts';
import { fetchConfig } from '../../api/config.ts';
import { ApiError, messageOf, onUnauthorized } from '../../api/http.ts';
import { setLocale } from '../../ui/locale.ts';
import { createStore, useStore } from '../../ui/store.ts';
import { dismissErrors, toast } from '../../ui/toast/toast.ts';
import { publicConfig } from './public-config.ts';
import { forgetUnverified, readUnverified, rememberUnverified } from './unverified.ts';

export type Session =
  | { status: 'unknown' }
  | { status: 'out'; because: 'never-signed-in' | 'refused' | 'signed-out' | 'expired' }
  | { status: 'in'; user: AuthUser };

/** The login state of the whole console. */
export const session = createStore<Session>({ status: 'unknown' });

/** Returns the signed-in user and throws if there is none. Only for pages of signed-in users. */
export function useUser(): AuthUser {
  const current = useStore(session);
  if (current.status !== 'in') {
    throw new Error('This component needs a signed-in user.');
  }
  return current.user;
}

/**
 * Fetches the configuration and the login status. Throws if either request fails; the session status then stays
 * unknown.
 */
export async function startSession(): Promise<void> {
  const [status] = await Promise.all([auth.loginStatus(), refreshConfig()]);
  accept(status, 'never-signed-in');
  onUnauthorized(() => {
    if (session.get().status === 'in') {
      recheck();
    }
  });
  // Another tab has signed in or out, so this tab fetches the login status again.
  window.addEventListener('storage', (event) => {
    if (event.key === 'userID') {
      recheck();
    }
  });
}

/** Fetches the public configuration again, for example after a change of the contact. */
export async function refreshConfig(): Promise<void> {
  publicConfig.set(await fetchConfig());
}

/** Signs in and stores the user in `session`. If that fails, a toast shows the error. */
export async function signIn(email: string, password: string): Promise<'signed-in' | 'unverified' | 'refused'> {
  try {
    enter(await auth.login(email, password, publicConfig.get()?.customer?.id ?? null));
    dismissErrors();
    return 'signed-in';
  } catch (error) {
    toast.error(messageOf(error));
    const user = error instanceof ApiError ? readUnverified(error.body) : null;
    if (user !== null) {
      rememberUnverified(user);
      return 'unverified';
    }
    leave('refused');
    return 'refused';
  }
}

/** Signs in with the demo account. If that fails, returns false, and a toast shows the error. */
export async function signInToDemo(): Promise<boolean> {
  try {
    enter(await auth.bypass());
    return true;
  } catch (error) {
    toast.error(messageOf(error));
    return false;
  }
}

/** Ends the session on the server and then in the console. If that fails, a toast shows the error. */
export async function signOut(): Promise<void> {
  try {
    await auth.logout();
    leave('signed-out');
  } catch (error) {
    toast.error(messageOf(error));
  }
}

/** Fetches the login status again. `because` is the reason to show if the user is no longer signed in. */
export async function refreshSession(because: 'expired' | 'signed-out'): Promise<void> {
  accept(await auth.loginStatus(), because);
}

let rechecking = false;

// Fetches the login status after a 401. Some endpoints respond to a wrong password with 401, so a 401 alone does not
// end the session.
function recheck(): void {
  if (rechecking) {
    return;
  }
  rechecking = true;
  refreshSession('expired')
    .catch(() => undefined)
    .finally(() => {
      rechecking = false;
    });
}

function accept(status: auth.LoginStatus, otherwise: 'never-signed-in' | 'expired' | 'signed-out'): void {
  if (status.loggedIn && status.user !== null) {
    enter(status.user);
  } else {
    leave(otherwise);
  }
}

/**
 * Returns true if this browser had a signed-in user when the login status was last known. The session may have ended
 * since then.
 */
export function wasSignedIn(): boolean {
  return localStorage.getItem('userID') !== null;
}

// The specification requires the keys `userID` and `userlevel` in local storage.
function enter(user: AuthUser): void {
  localStorage.setItem('userID', user.uuid);
  localStorage.setItem('userlevel', String(user.user_level));
  forgetUnverified();
  setLocale(user.locale);
  session.set({ status: 'in', user });
}

function leave(because: 'never-signed-in' | 'refused' | 'signed-out' | 'expired'): void {
  localStorage.removeItem('userID');
  localStorage.removeItem('userlevel');
  session.set({ status: 'out', because });
}
