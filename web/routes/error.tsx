import { createRoute, redirect } from '@tanstack/react-router';
import { BrokenLinkPage, NotFoundPage, ServerErrorPage } from '../app/error/ErrorPage.tsx';
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

/**
 * Page for broken links from messages. The server redirects valid links, so only links that match no alarm lead here.
 */
const brokenLinkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/a/$link',
  beforeLoad: only('everybody'),
  component: BrokenLinkPage,
});

const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/error/4xx', replace: true });
  },
});

export const errorRoutes = [serverErrorRoute, notFoundRoute, brokenLinkRoute, unknownRoute] as const;
