import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { LoginPage } from '../features/auth/LoginPage.tsx';
import { only } from './guards.ts';
import { rootRoute } from './root.tsx';

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/login',
  validateSearch: (search: Record<string, unknown>): { return?: string } =>
    typeof search.return === 'string' ? { return: search.return } : {},
  beforeLoad: only('visitors'),
  component: LoginPage,
});

const forgotRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/forgot',
  beforeLoad: only('visitors'),
  component: lazyRouteComponent(() => import('../features/auth/ForgotPage.tsx'), 'ForgotPage'),
});

const PasswordPage = lazyRouteComponent(() => import('../features/auth/PasswordPage.tsx'), 'PasswordPage');

const activationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/activation',
  beforeLoad: only('code-holders'),
  component: PasswordPage,
});

const verifyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/verify',
  beforeLoad: only('visitors'),
  component: PasswordPage,
});

const changePasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/change-password',
  beforeLoad: only('signed-in'),
  component: PasswordPage,
});

export const authRoutes = [loginRoute, forgotRoute, activationRoute, verifyRoute, changePasswordRoute] as const;
