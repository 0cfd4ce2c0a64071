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
 * For `beforeLoad`: lets the page's audience in and sends everybody else away before the page's code is fetched. Whoever
 * has to sign in first comes to the page they wanted afterwards; the empty address names none, so it leads to the reports.
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

/** The usual page to arrive at, or the one that is open to this person instead. */
export function landing<Usual extends string>(usual: Usual): Usual | '/admin/sites' {
  const current = session.get();
  return current.status === 'in' ? landingOf(actorOf(current.user), usual) : usual;
}

/** Thrown by `needs`; the route's error component turns it into the no-permission state. */
export class NotAllowed extends Error {
  readonly permission: Permission;

  constructor(permission: Permission) {
    super(`Not allowed: ${permission}`);
    this.permission = permission;
  }
}

/** For `beforeLoad` of a page below one that is `only('signed-in')`: the page's code is not fetched without the permission. */
export function needs(permission: Permission) {
  return () => {
    const current = session.get();
    if (current.status !== 'in' || !can(actorOf(current.user), permission)) {
      throw new NotAllowed(permission);
    }
  };
}
