/**
 * Checks which users are allowed to open which pages. Runs the guards of every page as the router does, without loading
 * the page.
 */
import { type AnyRoute, createMemoryHistory, isRedirect } from '@tanstack/react-router';
import { afterAll, describe, expect, test } from 'vitest';
import type { AuthUser } from '../../domain/auth-user.ts';
import { allPlacesFor } from '../kit/page/navigation.ts';
import { actorOf } from '../kit/session/actor.ts';
import { publicConfig } from '../kit/session/public-config.ts';
import { type Session, session } from '../kit/session/session.ts';
import { NotAllowed } from './guards.ts';
import { router } from './router.tsx';

const signedIn = (level: number, tocsin_partner_account = false): Session => {
  return { status: 'in', user: { level, tocsin_partner_account } as AuthUser };
};
const people = {
  visitor: { status: 'out', because: 'never-signed-in' },
  owner: signedIn(0),
  manager: signedIn(5),
  operator: signedIn(20),
  partner: signedIn(5, true),
} satisfies Record<string, Session>;
type Person = keyof typeof people;
const everybody = Object.keys(people) as Person[];

afterAll(() => session.set({ status: 'unknown' }));

/** Returns the path that a user reaches after all redirects, with the missing permission if the page is refused. */
function endOf(address: string, person: Person): string {
  session.set(people[person]);
  const location = router.parseLocation(createMemoryHistory({ initialEntries: [address] }).location);
  for (const { routeId, search } of router.matchRoutes(location)) {
    const { beforeLoad } = (router.routesById as Record<string, AnyRoute>)[routeId]?.options ?? {};
    try {
      beforeLoad?.({ location, search });
    } catch (reason) {
      if (reason instanceof NotAllowed) return `${location.pathname} needs ${reason.permission}`;
      if (isRedirect(reason)) return endOf(String(reason.options.to), person);
      throw reason;
    }
  }
  return location.pathname;
}

/** The path after all redirects, for each kind of user. Users without an entry reach the page itself. */
type Ends = Partial<Record<Person | 'staff', string>>;
const toLogin: Ends = { visitor: '/auth/login' };
const awayFromLogin: Ends = { staff: '/reports', partner: '/admin/sites' };
const closed = (path: string, { manager, partner }: Pick<Ends, 'manager' | 'partner'> = {}): Ends => {
  return {
    ...toLogin,
    operator: `${path} needs admin.enter`,
    ...(manager && { manager: `${path} needs ${manager}` }),
    ...(partner && { partner: `${path} needs ${partner}` }),
  };
};
const admin = (path: string, others?: Pick<Ends, 'manager' | 'partner'>): [path: string, ends: Ends] => {
  return [path, closed(path, others)];
};

const pages: Record<string, Ends> = {
  '/': { visitor: '/auth/login', staff: '/dashboard', partner: '/admin/sites' },
  '/auth/login': awayFromLogin,
  '/auth/forgot': awayFromLogin,
  '/auth/verify': awayFromLogin,
  '/auth/activation': {},
  '/auth/change-password': toLogin,
  '/error/4xx': {},
  '/error/5xx': {},
  '/a/$link': {},
  // The following pages open for a partner account, but show an explanation instead of their content.
  '/dashboard': toLogin,
  '/dashboard/alarms': toLogin,
  '/dashboard/alarms/$uuid': toLogin,
  '/dashboard/my-work': toLogin,
  '/dashboard/on-call': toLogin,
  '/dashboard/site/$uuid': toLogin,
  '/dashboard/trend': toLogin,
  '/reports': toLogin,
  '/reports/health': toLogin,
  '/reports/sms': toLogin,
  '/reports/alarms': toLogin,
  '/reports/performance': toLogin,
  '/reports/acknowledgements': toLogin,
  '/reports/delivery': toLogin,
  '/admin': { visitor: '/auth/login', staff: '/admin/sites', operator: '/admin needs admin.enter' },
  ...Object.fromEntries([
    admin('/admin/sites'),
    admin('/admin/sites/$uuid'),
    admin('/admin/sensors'),
    admin('/admin/sensor-log'),
    admin('/admin/sensor-command'),
    admin('/admin/groups'),
    admin('/admin/assets', { partner: 'asset.read' }),
    admin('/admin/datapoints', { partner: 'asset_datapoint.read' }),
    admin('/admin/rules', { partner: 'rule.read' }),
    admin('/admin/rules/plan/$uuid', { partner: 'rule_alert.update' }),
    admin('/admin/maintenance', { partner: 'maintenance.plan' }),
    admin('/admin/on-call', { partner: 'rota.plan' }),
    admin('/admin/on-call/$uuid', { partner: 'rota.plan' }),
    admin('/admin/users', { partner: 'user.create' }),
    admin('/admin/alarm-default-message', { partner: 'alarm_default_message.read' }),
    admin('/admin/channels', { partner: 'user.create' }),
    admin('/admin/destinations', { partner: 'destination.read' }),
    admin('/admin/audits', { manager: 'audit.read', partner: 'audit.read' }),
    admin('/admin/system', { manager: 'system.read', partner: 'system.read' }),
    admin('/admin/company', { manager: 'customer.update', partner: 'customer.update' }),
  ]),
  // Demo pages do not exist outside demo mode, and these tests run without it.
  '/test': { visitor: '/error/4xx', staff: '/error/4xx' },
  '/pass': { visitor: '/error/4xx', staff: '/error/4xx' },
};

test('covers every page of the console', () => {
  const known = Object.keys(router.routesByPath).filter((path) => path !== '/$');
  expect(Object.keys(pages).sort()).toEqual(known.sort());
});

describe.each(everybody)('%s', (person) => {
  test('opens every page they may open, and refuses or redirects every other', () => {
    const wanted = Object.entries(pages).map(([path, ends]) => {
      return [path, ends[person] ?? (person === 'visitor' ? undefined : ends.staff) ?? path];
    });
    const found = Object.keys(pages).map((path) => [path, endOf(path, person)]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
  });

  test('lists only pages they may open in the palette', () => {
    const current = people[person];
    const places = current.status === 'in' ? allPlacesFor(actorOf(current.user)).map(({ to }) => to) : [];
    expect(places.map((path) => endOf(path, person))).toEqual(places);
    // The pages outside the admin area are closed to a partner account, so the palette does not list them.
    if (person === 'partner') expect(places.filter((path) => !path.startsWith('/admin'))).toEqual([]);
  });

  test('shows the not-found page for every unknown address', () => {
    for (const path of ['/nowhere', '/admin-of-nothing', '/admin/nothing', '/auth/nothing/deep', '/dashboard/nothing'])
      expect(endOf(path, person), path).toBe('/error/4xx');
  });
});

test('sign-in returns to the requested page, unless none was requested', () => {
  session.set(people.visitor);
  const kept = (address: string): unknown => {
    const location = router.parseLocation(createMemoryHistory({ initialEntries: [address] }).location);
    for (const { routeId, search } of router.matchRoutes(location)) {
      try {
        (router.routesById as Record<string, AnyRoute>)[routeId]?.options.beforeLoad?.({ location, search });
      } catch (reason) {
        if (isRedirect(reason)) return (reason.options.search as { return?: string }).return;
        throw reason;
      }
    }
    return undefined;
  };
  for (const path of ['/dashboard', '/dashboard/alarms?q=level', '/admin/sites?page=2', '/reports/sms', '/admin'])
    expect(kept(path), path).toBe(path);
  expect(kept('/')).toBeUndefined();
  expect(kept('/auth/change-password')).toBeUndefined();
});

test('opens the two demo pages for everybody in a demo', () => {
  const before = publicConfig.get();
  publicConfig.set({ demo: true } as NonNullable<typeof before>);
  for (const person of everybody) {
    expect(endOf('/pass', person), person).toBe('/pass');
    expect(endOf('/test', person), person).toBe('/pass');
  }
  publicConfig.set(before);
});
