import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { startTransition, useEffect, useState } from 'react';
import { Preloader } from './kit/brand/Preloader.tsx';
import { startSession } from './kit/session/session.ts';
import { router } from './routes/router.tsx';
import { followSession } from './routes/session-navigation.ts';
import { colorSchemeManager, cssVariablesResolver, theme } from './theme.ts';
import { ToastRegion } from './ui/toast/ToastRegion.tsx';

// Started once per page load, not in a component, so that renders cannot repeat it.
const started = startSession()
  .catch(() => router.history.replace('/error/5xx'))
  .then(() => followSession(router))
  // Loads the first page's code during the splash screen, so that a slow line shows no empty screen.
  .then(() => router.load());

export function App() {
  const [ready, setReady] = useState(false);
  // A transition renders in slices: shell and page together would block the main thread for 250 ms.
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
