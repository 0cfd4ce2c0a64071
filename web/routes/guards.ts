import { redirect } from '@tanstack/react-router';
import { can, type Permission } from '../../domain/permission.ts';
import { startPathOf } from '../../domain/profile.ts';
import { type Audience, guard } from '../features/auth/guard.ts';
import { landingOf } from '../features/auth/landing.ts';
import { safeReturnPath } from '../features/auth/return-path.ts';
import { actorOf } from '../kit/session/actor.ts';
import { publicConfig } from '../kit/session/public-config.ts';
import { session } from '../kit/session/session.ts';

/**
 * Returns a guard for `beforeLoad`. The guard lets the page's audience through and redirects everybody else before the
 * page's code is loaded. After sign-in, a visitor returns to the requested page, or to the start page if the requested
 * path was `/`.
 */
export function only(audience: Audience) {
  return ({ location }: { location: { pathname: string; href: string } }) => {
    const verdict = guard(audience, {
      session: session.get().status,
      demo: publicConfig.get()?.demo ?? false,
    });
    if (!verdict.allow) {
      const wanted = location.pathname === '/' ? null : safeReturnPath(location.href);
      const back = verdict.because === 'not-signed-in' && wanted !== null ? { return: wanted } : {};
      const to = verdict.because === 'already-signed-in' ? landing(startPath()) : verdict.to;
      throw redirect({ to, search: back, replace: true });
    }
  };
}

function startPath() {
  const current = session.get();
  return startPathOf(current.status === 'in' ? current.user.start_page : null);
}

/** Returns `usual`, or the list of sites if this user is not allowed to open `usual`. */
export function landing<Usual extends string>(usual: Usual): Usual | '/admin/sites' {
  const current = session.get();
  return current.status === 'in' ? landingOf(actorOf(current.user), usual) : usual;
}

/** Thrown by the guard that `needs` returns. The route's error component then shows the no-permission state. */
export class NotAllowed extends Error {
  readonly permission: Permission;

  constructor(permission: Permission) {
    super(`Not allowed: ${permission}`);
    this.permission = permission;
  }
}

/**
 * Returns a guard for `beforeLoad` of a page below `only('signed-in')`. Without the permission, the page's code is not
 * loaded.
 */
export function needs(permission: Permission) {
  return () => {
    const current = session.get();
    if (current.status !== 'in' || !can(actorOf(current.user), permission)) {
      throw new NotAllowed(permission);
    }
  };
}
