import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './http.ts';

/** Cache of the server's answers. Retries a lost connection twice, a refusal never. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) =>
        failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});
