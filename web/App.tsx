import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { startTransition, useEffect, useState } from 'react';
import { Preloader } from './kit/brand/Preloader.tsx';
import { startSession } from './kit/session/session.ts';
import { router } from './routes/router.tsx';
import { followSession } from './routes/session-navigation.ts';
import { colorSchemeManager, cssVariablesResolver, theme } from './theme.ts';
import { ToastRegion } from './ui/toast/ToastRegion.tsx';

// Started once for the whole page, not by a component: the answer must not depend on how often React draws.
const started = startSession()
  .catch(() => router.history.replace('/error/5xx'))
  .then(() => followSession(router))
  // The first page's code is fetched while the bell still swings: on a slow line the screen would be empty until it is here.
  .then(() => router.load());

export function App() {
  const [ready, setReady] = useState(false);
  // A transition renders in slices: shell and page together would block the main thread for a quarter of a second.
  useEffect(() => void started.then(() => startTransition(() => setReady(true))), []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      {ready ? <RouterProvider router={router} /> : <Preloader />}
      <ToastRegion />
    </MantineProvider>
  );
}
