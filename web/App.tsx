import { MantineProvider } from '@mantine/core';
import { RouterProvider } from '@tanstack/react-router';
import { router } from './routes/router.tsx';
import { colorSchemeManager, cssVariablesResolver, theme } from './theme.ts';
import { ToastRegion } from './ui/toast/ToastRegion.tsx';

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <RouterProvider router={router} />
      <ToastRegion />
    </MantineProvider>
  );
}
