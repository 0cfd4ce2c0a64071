import { createRoute, redirect } from '@tanstack/react-router';
import { NotFoundPage, ServerErrorPage } from '../features/error/ErrorPage.tsx';
import { only } from './guards.ts';
import { rootRoute } from './root.tsx';

const serverErrorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/error/5xx',
  beforeLoad: only('everybody'),
  component: ServerErrorPage,
});

const notFoundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/error/4xx',
  beforeLoad: only('everybody'),
  component: NotFoundPage,
});

/** Every address that no other route knows. */
const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/error/4xx', replace: true });
  },
});

export const errorRoutes = [serverErrorRoute, notFoundRoute, unknownRoute] as const;
