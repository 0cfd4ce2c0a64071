import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './http.ts';

/** Cache of server answers. Retries a query twice after a lost connection, and never after an error from the server. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) =>
        failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});
