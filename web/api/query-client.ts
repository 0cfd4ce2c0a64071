import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './http.ts';

/** Cache of server responses. Retries a failed query twice, but not after a client error (4xx). */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) =>
        failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});
